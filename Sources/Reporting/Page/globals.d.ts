/** Leaflet 1.7.1, which has no types of its own. */
declare const L: any;

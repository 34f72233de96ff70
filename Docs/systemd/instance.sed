# Makes waymark@.service from waymark.service: one service for each config /etc/waymark/NAME.yaml.
s,/etc/waymark/waymark\.yaml,/etc/waymark/%i.yaml,
s,/var/lib/waymark/,/var/lib/waymark-instance-%i/,
s,/run/waymark/,/run/waymark-instance-%i/,
s,^\(StateDirectory\|RuntimeDirectory\)=waymark$,\1=waymark-instance-%i,
s,^\(Description=Waymark\):,\1 (%i):,
s,\(systemctl.*\) waymark\b,\1 waymark@%i,

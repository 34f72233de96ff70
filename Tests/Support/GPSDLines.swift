/// Lines as gpsd writes them, release by release, with what each is.
package enum GPSDLines {
  /// TPV and SKY of gpsd 3.20 to 3.27.
  package static let reports: [(release: String, line: String)] = [
    (
      "3.20",
      #"{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"2020-01-05T12:34:56.000Z","#
        + #""ept":0.005,"lat":46.498203637,"lon":7.568074350,"altHAE":1343.127,"altMSL":1294.027,"#
        + #""epx":24.829,"epy":25.326,"epv":102.615,"track":10.3788,"speed":0.091,"climb":-0.085,"#
        + #""eps":50.65,"epc":205.23,"geoidSep":49.100,"eph":43.890,"sep":68.970}"#
    ),
    (
      "3.20",
      #"{"class":"SKY","device":"/dev/ttyUSB0","xdop":1.66,"ydop":1.69,"vdop":3.42,"tdop":3.05,"#
        + #""hdop":2.40,"gdop":5.15,"pdop":4.16,"satellites":[{"PRN":23,"el":6.0,"az":84.0,"#
        + #""ss":0.0,"used":false},{"PRN":28,"el":7.0,"az":160.0,"ss":0.0,"used":false},"#
        + #"{"PRN":8,"el":66.0,"az":189.0,"ss":44.0,"used":true,"gnssid":0,"svid":8,"health":1}]}"#
    ),
    (
      "3.21",
      #"{"class":"TPV","device":"/dev/ttyACM0","status":2,"mode":2,"#
        + #""time":"2020-11-02T23:59:59.250Z","leapseconds":18,"ept":0.005,"lat":-33.856784000,"#
        + #""lon":151.215297000,"epx":3.101,"epy":4.202,"track":0.0000,"speed":0.000,"eps":0.31,"#
        + #""eph":5.700}"#
    ),
    (
      "3.22",
      #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2021-05-14T08:00:00.100Z","#
        + #""leapseconds":18,"ept":0.005,"lat":52.516275123,"lon":13.377704456,"altHAE":78.2000,"#
        + #""altMSL":34.5000,"alt":34.5000,"epx":3.123,"epy":4.234,"epv":9.900,"track":271.5000,"#
        + #""magtrack":268.1000,"magvar":3.4,"speed":13.250,"climb":-0.100,"epd":2.5000,"#
        + #""eps":30.10,"epc":69.00,"ecefx":3781234.56,"ecefy":899123.45,"ecefz":5038765.43,"#
        + #""ecefvx":0.12,"ecefvy":-0.34,"ecefvz":0.56,"ecefpAcc":3.21,"ecefvAcc":0.43,"#
        + #""velN":0.347,"velE":-13.245,"velD":0.100,"geoidSep":43.700,"eph":7.500,"sep":19.000}"#
    ),
    (
      "3.22",
      #"{"class":"SKY","device":"/dev/ttyACM0","time":"2021-05-14T08:00:00.100Z","xdop":0.53,"#
        + #""ydop":0.64,"vdop":1.11,"tdop":0.73,"hdop":0.83,"gdop":1.55,"pdop":1.38,"#
        + #""satellites":[{"PRN":2,"el":21.0,"az":308.0,"ss":38.0,"used":true,"gnssid":0,"#
        + #""svid":2,"health":1},{"PRN":65,"el":-5.0,"az":359.0,"used":false,"gnssid":6,"svid":1,"#
        + #""freqid":8}]}"#
    ),
    (
      "3.23",
      #"{"class":"TPV","device":"udp://127.0.0.1:5000","mode":1,"time":"2022-02-28T00:00:00.000Z","#
        + #""leapseconds":18}"#
    ),
    (
      "3.24",
      #"{"class":"TPV","device":"/dev/ttyACM0","status":3,"mode":3,"#
        + #""time":"2022-07-04T11:22:33.800Z","leapseconds":18,"ept":0.005,"lat":0.000000000,"#
        + #""lon":-0.000000001,"altHAE":-12.3456,"altMSL":-0.0001,"alt":-0.0001,"epx":0.014,"#
        + #""epy":0.014,"epv":0.021,"magvar":-2.5,"speed":0.007,"climb":0.000,"geoidSep":-12.346,"#
        + #""eph":0.019,"sep":0.031,"dgpsAge":1.0,"dgpsSta":1021,"wspeedr":2.5,"wanglem":12.5}"#
    ),
    (
      "3.25",
      #"{"class":"SKY","device":"/dev/ttyACM0","time":"2023-01-10T01:02:03.000Z","hdop":1.20,"#
        + #""pdop":2.10,"vdop":1.72}"#
    ),
    (
      "3.25",
      #"{"class":"SKY","device":"/dev/ttyACM0","gdop":2.30,"hdop":1.20,"pdop":2.10,"tdop":1.00,"#
        + #""vdop":1.72,"xdop":0.80,"ydop":0.90,"nSat":3,"uSat":2,"satellites":[{"PRN":5,"#
        + #""az":100.0,"el":40.0,"gnssid":0,"prRes":-1.3,"qual":7,"ss":35.0,"svid":5,"used":true},"#
        + #"{"PRN":7,"az":1.0,"el":4.0,"ss":30.0,"used":true},{"PRN":301,"used":false}]}"#
    ),
    (
      "3.26",
      #"{"class":"TPV","device":"/dev/serial/by-id/usb-u-blox_AG_-_www.u-blox.com_u-blox_7-if00","#
        + #""time":"2024-12-31T23:59:59.999Z","leapseconds":18,"ept":0.005,"mode":3,"#
        + #""lat":89.999999999,"lon":-179.999999999,"altHAE":8848.8600,"altMSL":8848.8600,"#
        + #""alt":8848.8600,"datum":"WGS84","eph":1.234,"epv":2.345,"track":359.9999,"speed":290.1}"#
    ),
    (
      "3.27",
      #"{"class":"TPV","device":"/dev/ttyAMA0","status":9,"mode":3,"#
        + #""time":"2025-09-01T06:07:08.123456Z","lat":1.5,"lon":2,"alt":3,"antPwr":2,"#
        + #""antStat":1,"jam":12,"temp":21.5,"clockbias":-123456,"clockdrift":12,"eph":4.5}"#
    ),
  ]

  /// One line of every other class.
  package static let others = [
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox","#
      + #""activated":"2021-05-14T08:00:00.100Z","flags":1,"native":1,"bps":9600,"parity":"N","#
      + #""stopbits":1,"cycle":1.00,"mincycle":0.20}]}"#,
    #"{"class":"DEVICE","path":"/dev/ttyACM0","activated":0}"#,
    #"{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,"scaled":false}"#,
    #"{"class":"ERROR","message":"Unrecognized request 'x'"}"#,
    #"{"class":"ATT","device":"/dev/pts/1","heading":104.000}"#,
    #"{"class":"ATT","device":"/dev/pts/1","heading":105.000,"mag_st":"N","pitch":169.00,"#
      + #""pitch_st":"N","roll":-43.00,"roll_st":"N","dip":13641.000,"mag_x":2454.000}"#,
    #"{"class":"GST","device":"/dev/ttyACM0","time":"2021-05-14T08:00:00.100Z","rms":2.4}"#,
    #"{"class":"PPS","device":"/dev/ttyACM0","real_sec":1620979200,"real_nsec":0}"#,
    #"{"class":"WAYMARK","recording":1,"source":"gpsd://localhost","device":"van"}"#,
  ]
}

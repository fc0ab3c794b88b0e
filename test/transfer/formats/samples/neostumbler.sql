CREATE TABLE Report (id INTEGER PRIMARY KEY, timestamp INTEGER NOT NULL, uploaded INTEGER NOT NULL);
CREATE TABLE PositionEntity (id INTEGER PRIMARY KEY, latitude REAL, longitude REAL, accuracy REAL, age INTEGER, altitude REAL, heading REAL, speed REAL, source TEXT, reportId INTEGER);
CREATE TABLE WifiAccessPointEntity (id INTEGER PRIMARY KEY, macAddress TEXT, age INTEGER, channel INTEGER, frequency INTEGER, signalStrength INTEGER, ssid TEXT, reportId INTEGER);
CREATE TABLE CellTowerEntity (id INTEGER PRIMARY KEY, radioType TEXT, mobileCountryCode TEXT, mobileNetworkCode TEXT, cellId INTEGER, locationAreaCode INTEGER, primaryScramblingCode INTEGER, serving INTEGER, signalStrength INTEGER, timingAdvance INTEGER, age INTEGER, reportId INTEGER);
INSERT INTO Report VALUES (1, 1714979289125, 0);
INSERT INTO PositionEntity VALUES (1, 47.141, 9.521, 4.3, 1200, 450, 90, 3.4, 'gps', 1);
INSERT INTO WifiAccessPointEntity VALUES (1, '02:00:5e:30:00:01', 900, 6, 2437, -67, 'Mill', 1), (2, '02:00:5e:30:00:02', 900, 11, 2462, -71, 'Harbour', 1);
INSERT INTO CellTowerEntity VALUES (1, 'lte', '228', '01', 30926080, 3080, 209, 1, -88, 3, 700, 1);

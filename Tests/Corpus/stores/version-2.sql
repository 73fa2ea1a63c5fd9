PRAGMA application_id = 1397051733;
PRAGMA user_version = 1;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE active_run (
  number INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL UNIQUE,
  sequence TEXT NOT NULL,
  sequence_checksum TEXT NOT NULL,
  snapshot TEXT NOT NULL,
  checksum TEXT NOT NULL
) STRICT;
INSERT INTO "active_run" VALUES(1,'72BB7912-45E0-4DBC-B258-698824A55AED','{"elements":[{"card":{"_0":{"id":"10B56A8E-72E3-853B-99F4-A27858730BA4","isRest":false,"skipsLastRound":false,"timing":{"advance":"automatic","countdown":3600000000000},"title":"Write"}}},{"card":{"_0":{"id":"C1FC02BE-7D8E-818A-9948-D696C4AD2D25","isRest":false,"skipsLastRound":false,"timing":{"advance":"automatic","countdown":1200000000000},"title":"Walk"}}}],"id":"9E5F34F9-7D32-8B90-B2C6-F1F1800345CA","title":"Write, Walk"}','f62d8600dd709639f2eb75625e51782b','{"current":{"clock":{"elapsed":1016606159},"extended":0,"startedAt":1795732372079516},"log":{"entries":[{"single":{"_0":{"actual":19520119,"endedAt":1795732372079516,"outcome":"completed","planned":3600000000000,"startedAt":1795732372059995}}}]},"name":"write-walk","runID":"72BB7912-45E0-4DBC-B258-698824A55AED","schema":1,"source":"cards","startedAt":1795732372059995}','a53211be370df92573c8c32574cd5d9a');
CREATE TABLE agent_report (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  pid INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  desktop TEXT NOT NULL,
  detail TEXT NOT NULL,
  capabilities TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE TABLE cleared_scope (
  run_id TEXT NOT NULL,
  prefix TEXT NOT NULL,
  PRIMARY KEY (run_id, prefix)
) STRICT, WITHOUT ROWID;
CREATE TABLE component (
  name TEXT PRIMARY KEY, version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "component" VALUES('hooks',1);
INSERT INTO "component" VALUES('notifications',1);
INSERT INTO "component" VALUES('planning',1);
INSERT INTO "component" VALUES('runs',2);
CREATE TABLE history (
  run_id TEXT PRIMARY KEY,
  sequence_id TEXT NOT NULL,
  title TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  steps INTEGER NOT NULL,
  completed INTEGER NOT NULL,
  skipped INTEGER NOT NULL,
  active INTEGER NOT NULL,
  rest INTEGER NOT NULL,
  sequence TEXT NOT NULL,
  sequence_checksum TEXT NOT NULL,
  snapshot TEXT NOT NULL,
  checksum TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "history" VALUES('AD365784-8B47-472A-B64F-6E4FC09AEA88','48342724-4006-8C91-8E16-E6D3BDEE621F','Tea',1795732192009171,1795732372009171,'finished',1,1,0,180000000000,0,'{"elements":[{"card":{"_0":{"id":"67D3DE90-CA77-8FD4-BE2B-6C0A273FCE8D","isRest":false,"skipsLastRound":false,"timing":{"advance":"automatic","countdown":180000000000},"title":"Tea"}}}],"id":"4833952D-2006-8C91-8E16-E6D381EF84BF","title":"Tea"}','5c512328dee17cdfd6dd0dca8cef415a','{"current":{"clock":{"elapsed":0,"since":{"boot":43198063600106,"bootID":"08afcf3d-d578-4111-b76f-ec71fc1469e6","wall":1795732192009171}},"extended":0,"startedAt":1795732192009171},"log":{"entries":[{"single":{"_0":{"actual":180000000000,"endedAt":1795732372009171,"outcome":"completed","planned":180000000000,"startedAt":1795732192009171}}}]},"name":"tea","runID":"AD365784-8B47-472A-B64F-6E4FC09AEA88","schema":1,"source":"timer","startedAt":1795732192009171}','94f74466bf880fdc27b25bcf6822329b');
INSERT INTO "history" VALUES('EB734983-744A-4ED7-852A-2FCA9946C881','239095B4-43FC-8A44-B812-4F23D2DB80D6','Focus, Break',1795732189658549,1795732191973261,'finished',4,3,1,1255710958,61064251,'{"elements":[{"group":{"_0":{"elements":[{"card":{"_0":{"id":"E73FC19D-700A-881D-A6A2-927763069205","isRest":false,"skipsLastRound":false,"timing":{"advance":"automatic","countdown":1500000000000},"title":"Focus"}}},{"card":{"_0":{"id":"48E1661D-B90A-881D-A94E-44FEFFFF2959","isRest":true,"skipsLastRound":false,"timing":{"advance":"automatic","countdown":300000000000},"title":"Break"}}}],"rounds":2}}}],"id":"1068257A-1007-871F-9BAE-D6DA0F0E719D","title":"Focus, Break"}','eb9cb40e088071d2cae5e0a22d65e77d','{"current":{"clock":{"elapsed":0,"since":{"boot":43197998673730,"bootID":"08afcf3d-d578-4111-b76f-ec71fc1469e6","wall":1795732191944244}},"extended":0,"startedAt":1795732191944244},"log":{"entries":[{"single":{"_0":{"actual":32116086,"endedAt":1795732191880251,"outcome":"skipped","planned":1500000000000,"startedAt":1795732191848135}}},{"single":{"_0":{"actual":32047064,"endedAt":1795732191912298,"outcome":"completed","planned":300000000000,"startedAt":1795732191880251}}},{"single":{"_0":{"actual":31946074,"endedAt":1795732191944244,"outcome":"completed","planned":1500000000000,"startedAt":1795732191912298}}},{"single":{"_0":{"actual":29017187,"endedAt":1795732191973261,"outcome":"completed","planned":300000000000,"startedAt":1795732191944244}}}]},"name":"focus-break","runID":"EB734983-744A-4ED7-852A-2FCA9946C881","schema":1,"source":"cards","startedAt":1795732189658549,"unrecorded":1130584547}','54ea8d2a6cf7f3070120635200f28255');
CREATE TABLE hook_failure (
  hook TEXT NOT NULL,
  kind TEXT NOT NULL,
  count INTEGER NOT NULL,
  event TEXT NOT NULL,
  detail TEXT NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (hook, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE journal (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  previous INTEGER,
  run_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  reason TEXT,
  wall INTEGER NOT NULL,
  boot INTEGER NOT NULL,
  boot_id TEXT NOT NULL,
  time INTEGER NOT NULL,
  step INTEGER NOT NULL,
  current TEXT,
  checksum TEXT NOT NULL
) STRICT;
INSERT INTO "journal" VALUES(1,NULL,'EB734983-744A-4ED7-852A-2FCA9946C881','start',NULL,1795732189658549,43195712978181,'08afcf3d-d578-4111-b76f-ec71fc1469e6',0,0,'{"clock":{"elapsed":0,"since":{"boot":43195712978181,"bootID":"08afcf3d-d578-4111-b76f-ec71fc1469e6","wall":1795732189658549}},"extended":0,"startedAt":1795732189658549}','452b1179d98babc0bf5da5aa10ba3f1a');
INSERT INTO "journal" VALUES(2,1,'EB734983-744A-4ED7-852A-2FCA9946C881','pause',NULL,1795732190711472,43196765901867,'08afcf3d-d578-4111-b76f-ec71fc1469e6',1052923686,0,'{"clock":{"elapsed":1052923686},"extended":0,"startedAt":1795732189658549}','320f924aa42146957f152e7a772b4243');
INSERT INTO "journal" VALUES(3,2,'EB734983-744A-4ED7-852A-2FCA9946C881','resume',NULL,1795732191770474,43197824903645,'08afcf3d-d578-4111-b76f-ec71fc1469e6',0,0,'{"clock":{"elapsed":1052923686,"since":{"boot":43197824903645,"bootID":"08afcf3d-d578-4111-b76f-ec71fc1469e6","wall":1795732191770474}},"extended":0,"startedAt":1795732189658549}','40c7fa26bfd6da990db7a3876d489168');
INSERT INTO "journal" VALUES(4,3,'EB734983-744A-4ED7-852A-2FCA9946C881','next',NULL,1795732191815697,43197870126029,'08afcf3d-d578-4111-b76f-ec71fc1469e6',45222384,1,'{"clock":{"elapsed":0,"since":{"boot":43197870126029,"bootID":"08afcf3d-d578-4111-b76f-ec71fc1469e6","wall":1795732191815697}},"extended":0,"startedAt":1795732191815697}','235a6ef18414e5194f867c81a8b15d9b');
INSERT INTO "journal" VALUES(5,4,'EB734983-744A-4ED7-852A-2FCA9946C881','back',NULL,1795732191848135,43197902564506,'08afcf3d-d578-4111-b76f-ec71fc1469e6',32438477,0,'{"clock":{"elapsed":0,"since":{"boot":43197902564506,"bootID":"08afcf3d-d578-4111-b76f-ec71fc1469e6","wall":1795732191848135}},"extended":0,"startedAt":1795732191848135}','17d3d8e9163ae4a2d322b97f0c15c569');
INSERT INTO "journal" VALUES(6,5,'EB734983-744A-4ED7-852A-2FCA9946C881','skip',NULL,1795732191880251,43197934680592,'08afcf3d-d578-4111-b76f-ec71fc1469e6',32116086,1,'{"clock":{"elapsed":0,"since":{"boot":43197934680592,"bootID":"08afcf3d-d578-4111-b76f-ec71fc1469e6","wall":1795732191880251}},"extended":0,"startedAt":1795732191880251}','64ac1e1e29c7113caa77b491d845afde');
INSERT INTO "journal" VALUES(7,6,'EB734983-744A-4ED7-852A-2FCA9946C881','next',NULL,1795732191912298,43197966727656,'08afcf3d-d578-4111-b76f-ec71fc1469e6',32047064,2,'{"clock":{"elapsed":0,"since":{"boot":43197966727656,"bootID":"08afcf3d-d578-4111-b76f-ec71fc1469e6","wall":1795732191912298}},"extended":0,"startedAt":1795732191912298}','8ab0345de8e7782771d05ff4992540e9');
INSERT INTO "journal" VALUES(8,7,'EB734983-744A-4ED7-852A-2FCA9946C881','next',NULL,1795732191944244,43197998673730,'08afcf3d-d578-4111-b76f-ec71fc1469e6',31946074,3,'{"clock":{"elapsed":0,"since":{"boot":43197998673730,"bootID":"08afcf3d-d578-4111-b76f-ec71fc1469e6","wall":1795732191944244}},"extended":0,"startedAt":1795732191944244}','42828cd8991ac3ba3e419dd9cb0f6a32');
INSERT INTO "journal" VALUES(9,8,'EB734983-744A-4ED7-852A-2FCA9946C881','next',NULL,1795732191973261,43198027690917,'08afcf3d-d578-4111-b76f-ec71fc1469e6',29017187,4,NULL,'802e70a9db0e7691d54c77448174883f');
INSERT INTO "journal" VALUES(10,NULL,'AD365784-8B47-472A-B64F-6E4FC09AEA88','start',NULL,1795732192009171,43198063600106,'08afcf3d-d578-4111-b76f-ec71fc1469e6',0,0,'{"clock":{"elapsed":0,"since":{"boot":43198063600106,"bootID":"08afcf3d-d578-4111-b76f-ec71fc1469e6","wall":1795732192009171}},"extended":0,"startedAt":1795732192009171}','e276120a889b70e4d586749b8442b019');
INSERT INTO "journal" VALUES(11,10,'AD365784-8B47-472A-B64F-6E4FC09AEA88','end',NULL,1795732372009171,43378063600106,'08afcf3d-d578-4111-b76f-ec71fc1469e6',180000000000,1,NULL,'9b8550dd3cd4f4566a3b4c01e1198f44');
INSERT INTO "journal" VALUES(12,NULL,'72BB7912-45E0-4DBC-B258-698824A55AED','start',NULL,1795732372059995,43378114424955,'08afcf3d-d578-4111-b76f-ec71fc1469e6',0,0,'{"clock":{"elapsed":0,"since":{"boot":43378114424955,"bootID":"08afcf3d-d578-4111-b76f-ec71fc1469e6","wall":1795732372059995}},"extended":0,"startedAt":1795732372059995}','60d718f3827589adb48f5bb14483d9e7');
INSERT INTO "journal" VALUES(13,12,'72BB7912-45E0-4DBC-B258-698824A55AED','next',NULL,1795732372079516,43378133945074,'08afcf3d-d578-4111-b76f-ec71fc1469e6',19520119,1,'{"clock":{"elapsed":0,"since":{"boot":43378133945074,"bootID":"08afcf3d-d578-4111-b76f-ec71fc1469e6","wall":1795732372079516}},"extended":0,"startedAt":1795732372079516}','8c76b62638e550f616a470eba4d771f3');
INSERT INTO "journal" VALUES(14,13,'72BB7912-45E0-4DBC-B258-698824A55AED','pause',NULL,1795732373096122,43379150551233,'08afcf3d-d578-4111-b76f-ec71fc1469e6',1016606159,1,'{"clock":{"elapsed":1016606159},"extended":0,"startedAt":1795732372079516}','fa4a1324d39e6663819907cc4283ee8');
CREATE TABLE notification (
  number INTEGER PRIMARY KEY,
  added_at INTEGER NOT NULL,
  identifier TEXT NOT NULL,
  kind TEXT,
  context TEXT,
  summary TEXT NOT NULL,
  body TEXT NOT NULL,
  actions TEXT,
  user_info TEXT,
  style TEXT,
  latest_delivery INTEGER,
  missed INTEGER,
  tag TEXT NOT NULL,
  schedule TEXT,
  follows_wall INTEGER NOT NULL,
  due_wall INTEGER NOT NULL,
  due_boot INTEGER NOT NULL,
  boot_id TEXT NOT NULL,
  previous_due INTEGER,
  zone_offset INTEGER,
  snoozed INTEGER,
  is_occurrence INTEGER NOT NULL,
  unlisted INTEGER NOT NULL,
  state TEXT NOT NULL,
  reason TEXT,
  withdrawal TEXT,
  repeats TEXT,
  server_id INTEGER,
  epoch TEXT,
  refusals INTEGER NOT NULL DEFAULT 0,
  not_before INTEGER NOT NULL DEFAULT 0,
  delivered_at INTEGER,
  response TEXT,
  updated_at INTEGER NOT NULL
) STRICT;
INSERT INTO "notification" VALUES(1,1795732189658549,'sequence.1068257A-1007-871F-9BAE-D6DA0F0E719D.card.E73FC19D-700A-881D-A6A2-927763069205.round.1.countdown','step-end','EB734983-744A-4ED7-852A-2FCA9946C881 1','Break, 5m','Focus is over · round 1 of 2 · step 2 of 4','[{"key":"pause","title":"Pause"},{"key":"skip","title":"Skip"},{"key":"extend","title":"+30 s"}]',NULL,NULL,NULL,NULL,'sequence.1068257A-1007-871F-9BAE-D6DA0F0E719D',NULL,0,1795733691848135,44697902564506,'08afcf3d-d578-4111-b76f-ec71fc1469e6',NULL,NULL,NULL,0,0,'cancelled','step-skipped',NULL,NULL,NULL,NULL,0,0,NULL,NULL,1795732191880251);
INSERT INTO "notification" VALUES(2,1795732189658549,'sequence.1068257A-1007-871F-9BAE-D6DA0F0E719D.card.48E1661D-B90A-881D-A94E-44FEFFFF2959.round.1.countdown','step-end','EB734983-744A-4ED7-852A-2FCA9946C881 2','Focus, 25m','Break is over · round 2 of 2 · step 3 of 4','[{"key":"pause","title":"Pause"},{"key":"skip","title":"Skip"},{"key":"extend","title":"+30 s"}]',NULL,NULL,NULL,NULL,'sequence.1068257A-1007-871F-9BAE-D6DA0F0E719D',NULL,0,1795732491880251,43497934680592,'08afcf3d-d578-4111-b76f-ec71fc1469e6',NULL,NULL,NULL,0,0,'cancelled','step-completed',NULL,NULL,NULL,NULL,0,0,NULL,NULL,1795732191912298);
INSERT INTO "notification" VALUES(3,1795732189658549,'sequence.1068257A-1007-871F-9BAE-D6DA0F0E719D.card.E73FC19D-700A-881D-A6A2-927763069205.round.2.countdown','step-end','EB734983-744A-4ED7-852A-2FCA9946C881 3','Break, 5m','Focus is over · round 2 of 2 · step 4 of 4','[{"key":"pause","title":"Pause"},{"key":"skip","title":"Skip"},{"key":"extend","title":"+30 s"}]',NULL,NULL,NULL,NULL,'sequence.1068257A-1007-871F-9BAE-D6DA0F0E719D',NULL,0,1795733691912298,44697966727656,'08afcf3d-d578-4111-b76f-ec71fc1469e6',NULL,NULL,NULL,0,0,'cancelled','step-completed',NULL,NULL,NULL,NULL,0,0,NULL,NULL,1795732191944244);
INSERT INTO "notification" VALUES(4,1795732189658549,'sequence.1068257A-1007-871F-9BAE-D6DA0F0E719D.finished','run-end','EB734983-744A-4ED7-852A-2FCA9946C881 4','Focus, Break is finished','Break is over · 3 of 4 steps done',NULL,NULL,NULL,NULL,NULL,'sequence.1068257A-1007-871F-9BAE-D6DA0F0E719D',NULL,0,1795732491944244,43497998673730,'08afcf3d-d578-4111-b76f-ec71fc1469e6',NULL,NULL,NULL,0,0,'cancelled','step-completed',NULL,NULL,NULL,NULL,0,0,NULL,NULL,1795732191973261);
INSERT INTO "notification" VALUES(5,1795732192009171,'sequence.4833952D-2006-8C91-8E16-E6D381EF84BF.finished','run-end','AD365784-8B47-472A-B64F-6E4FC09AEA88 1','Tea is finished','1 step done',NULL,NULL,NULL,NULL,NULL,'sequence.4833952D-2006-8C91-8E16-E6D381EF84BF',NULL,0,1795732372009171,43378063600106,'08afcf3d-d578-4111-b76f-ec71fc1469e6',NULL,NULL,NULL,0,0,'pending',NULL,NULL,NULL,NULL,NULL,0,0,NULL,NULL,1795732192009171);
INSERT INTO "notification" VALUES(6,1795732372059995,'sequence.9E5F34F9-7D32-8B90-B2C6-F1F1800345CA.card.10B56A8E-72E3-853B-99F4-A27858730BA4.countdown','step-end','72BB7912-45E0-4DBC-B258-698824A55AED 1','Walk, 20m','Write is over · step 2 of 2','[{"key":"pause","title":"Pause"},{"key":"skip","title":"Skip"},{"key":"extend","title":"+30 s"}]',NULL,NULL,NULL,NULL,'sequence.9E5F34F9-7D32-8B90-B2C6-F1F1800345CA',NULL,0,1795735972059995,46978114424955,'08afcf3d-d578-4111-b76f-ec71fc1469e6',NULL,NULL,NULL,0,0,'cancelled','step-completed',NULL,NULL,NULL,NULL,0,0,NULL,NULL,1795732372079516);
INSERT INTO "notification" VALUES(7,1795732372059995,'sequence.9E5F34F9-7D32-8B90-B2C6-F1F1800345CA.finished','run-end','72BB7912-45E0-4DBC-B258-698824A55AED 2','Write, Walk is finished','Walk is over · 2 steps done',NULL,NULL,NULL,NULL,NULL,'sequence.9E5F34F9-7D32-8B90-B2C6-F1F1800345CA',NULL,0,1795733572079516,44578133945074,'08afcf3d-d578-4111-b76f-ec71fc1469e6',NULL,NULL,NULL,0,0,'cancelled','run-paused',NULL,NULL,NULL,NULL,0,0,NULL,NULL,1795732373096122);
CREATE TABLE planning_mark (
  run_id TEXT PRIMARY KEY,
  scope TEXT NOT NULL,
  entry INTEGER NOT NULL,
  time INTEGER NOT NULL,
  refill INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE reader (
  reader TEXT PRIMARY KEY,
  number INTEGER NOT NULL,
  wall INTEGER NOT NULL,
  boot INTEGER NOT NULL,
  boot_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE response (
  number INTEGER PRIMARY KEY,
  request TEXT NOT NULL,
  entry INTEGER NOT NULL,
  entry_added_at INTEGER NOT NULL,
  occurrence INTEGER NOT NULL,
  choice TEXT NOT NULL,
  activation_token TEXT,
  responded_at INTEGER NOT NULL,
  responded_boot INTEGER NOT NULL,
  boot_id TEXT NOT NULL
) STRICT;
CREATE TABLE store (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  revision INTEGER NOT NULL
) STRICT;
INSERT INTO "store" VALUES(1,3);
CREATE INDEX journal_by_run ON journal (run_id);
CREATE INDEX history_list ON history (
  started_at, run_id, sequence_id, title, ended_at, outcome, steps, completed, skipped, active, rest);
CREATE INDEX history_by_sequence ON history (sequence_id, started_at, ended_at);
CREATE INDEX notification_by_identifier ON notification (identifier);
CREATE INDEX notification_pending ON notification (identifier) WHERE state = 'pending';
CREATE UNIQUE INDEX notification_planned ON notification (identifier, is_occurrence)
  WHERE state IN ('pending', 'cancelled');
CREATE INDEX notification_live ON notification (state) WHERE state IN ('presenting', 'delivered');
CREATE INDEX notification_ended ON notification (updated_at, number)
  WHERE state NOT IN ('pending', 'presenting', 'delivered');
CREATE INDEX notification_due_in_tag ON notification (tag, boot_id, due_boot) WHERE state = 'pending';
CREATE INDEX notification_due_in_boot ON notification (boot_id, due_boot) WHERE state = 'pending';
CREATE INDEX notification_fixed ON notification (boot_id, due_boot)
  WHERE state = 'pending' AND follows_wall = 0;
CREATE INDEX notification_following ON notification (boot_id)
  WHERE state = 'pending' AND follows_wall = 1;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('journal',1795773616);
COMMIT;

insert into owners (name, city) values
  ('Almaz', 'Addis Ababa'), ('Bruno', 'Lisbon'), ('Chiyo', 'Osaka'), ('Dalia', 'Kaunas'), ('Emil', 'Tallinn');
insert into pets (owner_id, name, kind, born) values
  (1, 'Anzu', 'cat', '2019-03-01'), (1, 'Bolt', 'dog', '2021-07-15'), (2, 'Coco', 'parrot', '2010-11-30'),
  (3, 'Dot', 'hamster', '2024-01-09'), (3, 'Echo', 'cat', '2018-05-22'), (4, 'Fig', 'dog', '2020-02-29'),
  (5, 'Grey', 'rabbit', '2022-08-17');

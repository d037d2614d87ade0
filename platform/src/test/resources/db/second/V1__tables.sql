CREATE TABLE plum (home int NOT NULL, id bigint NOT NULL, PRIMARY KEY (home, id));

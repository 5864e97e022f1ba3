create table part (
    part_no     varchar(16) primary key,
    name        varchar(80) not null,
    maker       varchar(40) not null,
    list_price  decimal(10, 2) not null,
    weight_g    int not null,
    discount_group char(1) not null
);

create table demand (
    part_no     varchar(16) primary key references part,
    asked       bigint not null,
    pieces      bigint not null
);

/** Files without a page row, such as screenshots behind a public link, and their expiry. */
export const statements: readonly string[] = [
  `create table kept_files (
     ref text primary key,
     keep_until bigint not null
   )`,
  `create index kept_files_age on kept_files (keep_until)`,
];

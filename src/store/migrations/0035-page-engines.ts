/** Pages by engine; those counted before have neither. */
export const statements: readonly string[] = [
  `alter table page_usage add column http_pages bigint not null default 0`,
  `alter table page_usage add column document_pages bigint not null default 0`,
];

/** Page titles, so that documents need not be read to search them. Older rows have none. */
export const statements: readonly string[] = [
  `alter table results add column title text, add column description text`,
  `alter table scrapes add column title text, add column description text`,
];

/** What signs the deliveries of an account, sealed; made when the first delivery needs it. */
export const statements = [
  `create table webhook_secrets (
     account_id uuid primary key references accounts (id) on delete cascade,
     sealed bytea not null,
     saved_at bigint not null
   )`,
];

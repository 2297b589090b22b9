/** The encrypted secret that signs an account's deliveries; created with the first delivery. */
export const statements = [
  `create table webhook_secrets (
     account_id uuid primary key references accounts (id) on delete cascade,
     sealed bytea not null,
     saved_at bigint not null
   )`,
];

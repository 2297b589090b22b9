/** Events of prompts in live sessions; removed with their session. */
export const statements = [
  `create table interact_events (
     session_id uuid not null references browser_sessions (id) on delete cascade,
     sequence integer not null,
     event json not null,
     primary key (session_id, sequence)
   )`,
];

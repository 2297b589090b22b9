// Updates the depth of a waiting URL that is found again on a shorter path, and of what it leads
// to.
import { sql, type Transaction } from "kysely";
import type { FoundUrl } from "./frontier.ts";
import { buildGivenRows } from "../database/json-rows.ts";
import type { Tables } from "../database/schema.ts";

/** Known URLs found again, by identity, with their least depth. */
export class DepthUpdates {
  readonly #depths = new Map<bigint, number>();

  /** Adds a known URL; counts only if it may be fetched and its depth matters. */
  add({ identity, depth, depthCounts, refused }: FoundUrl): void {
    if (depthCounts !== true || refused !== undefined) return;
    this.#depths.set(identity, Math.min(depth, this.#depths.get(identity) ?? depth));
  }

  /** Must run before other changes of the job: a row may be updated once per statement. */
  async write(transaction: Transaction<Tables>, jobId: string): Promise<void> {
    if (this.#depths.size === 0) return;
    const rows = [...this.#depths].map(([identity, depth]) => ({
      identity: String(identity),
      depth,
    }));
    await sql`update frontier set depth = given.depth
      from ${buildGivenRows(rows, { identity: "bigint", depth: "integer" })}
      where frontier.job_id = ${jobId}::uuid and frontier.identity = given.identity
        and frontier.state in ('ready', 'held') and frontier.depth > given.depth`.execute(
      transaction,
    );
  }
}

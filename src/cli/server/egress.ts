import type { Config } from "../../config.ts";
import { createEgress } from "../../egress/dispatchers.ts";
import type { EgressExplanation } from "../../egress/gate.ts";
import { parseHostPort } from "../../egress/host-port.ts";
import { createMetrics } from "../../metrics.ts";
import { findServer } from "../../store/database/server-file.ts";
import { askAdmin } from "./ask-admin.ts";
import { EXIT } from "../terminal/exit-codes.ts";

/**
 * `quarry egress HOST`: whether the gate allows the host, per address, without connecting. Uses the
 * running server's settings; without a server, those of the shell.
 */
export async function explainEgress(
  config: Config,
  target: string,
  { json }: { readonly json?: boolean },
): Promise<void> {
  const { hostname, port } = parseHostPort(target);
  const running = await findServer(config);
  let explanation: EgressExplanation;
  if (running === undefined) {
    await using egress = createEgress(config, { metrics: createMetrics() });
    explanation = await egress.explain(hostname, port);
  } else {
    const ask = askAdmin((url, init) => fetch(url, init), running.url, running.adminToken);
    const path = `/admin/egress?host=${encodeURIComponent(target)}`;
    explanation = (await ask("GET", path)) as EgressExplanation;
  }
  if (!explanation.allowed) process.exitCode = EXIT.target;
  if (json === true) {
    const answer = { ...explanation, server: running?.url ?? null };
    process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
    return;
  }
  const { host, allowed, reason, addresses } = explanation;
  process.stdout.write(
    `${host}:${explanation.port} ${allowed ? "may be reached" : "is refused"}: ${reason}\n`,
  );
  for (const item of addresses)
    process.stdout.write(
      `  ${item.address.padEnd(40)}${item.allowed ? "allowed" : "refused"}  ${item.reason}\n`,
    );
  process.stderr.write(
    running === undefined
      ? "No server runs on the data folder: checked with the settings of this shell.\\n"
      : `Answered by the server on ${running.url}.\n`,
  );
}

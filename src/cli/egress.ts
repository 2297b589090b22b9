import type { Config } from "../config.ts";
import { createEgress } from "../egress/dispatchers.ts";
import { RequestError } from "../errors.ts";
import { createMetrics } from "../metrics.ts";
import { findServer } from "../store/server-file.ts";

/** `quarry egress HOST`: what the gate would say, address by address, without connecting. Exit code 1 when refused. */
export async function explainEgress(config: Config, target: string): Promise<void> {
  const url = URL.parse(target.includes("://") ? target : `http://${target}`);
  if (url === null)
    throw new RequestError("BAD_REQUEST", `"${target}" is not a host, host:port or URL.`);
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  await using egress = createEgress(config, { metrics: createMetrics() });
  const explanation = await egress.explain(url.hostname, port);
  process.stdout.write(
    `${explanation.host}:${explanation.port} ${explanation.allowed ? "may be reached" : "is refused"}: ${explanation.reason}\n`,
  );
  for (const { address, allowed, reason } of explanation.addresses) {
    process.stdout.write(`  ${address.padEnd(40)}${allowed ? "allowed" : "refused"}  ${reason}\n`);
  }
  if (!explanation.allowed) process.exitCode = 1;
  const running = await findServer(config);
  if (running !== undefined)
    process.stderr.write(
      `This is what the settings of here say; the server on ${running.url} has those it was started with.\n`,
    );
}

import type { Config } from "../../config.ts";
import { RequestError } from "../../errors.ts";
import { findServer } from "../../store/database/server-file.ts";
import { askAdmin } from "./ask-admin.ts";

type ConsoleLink = { readonly path: string; readonly expiresAt: string };

/** `quarry console`: a link that signs in to the console of the running server, once. */
export async function printConsoleLink(
  config: Config,
  { json }: { readonly json?: boolean },
): Promise<void> {
  const running = await findServer(config);
  if (running === undefined)
    throw new RequestError(
      "BAD_REQUEST",
      "No server runs on this data folder; start one with quarry serve.",
    );
  const ask = askAdmin((url, init) => fetch(url, init), running.url, running.adminToken);
  const { path, expiresAt } = (await ask("POST", "/admin/console-links", {})) as ConsoleLink;
  const url = `${config.publicUrl ?? running.url}${path}`;
  process.stdout.write(json === true ? `${JSON.stringify({ url, expiresAt })}\n` : `${url}\n`);
}

// State of a context as text: the content of a profile.
import type { BrowserContext } from "playwright-core";
import type { ContextRequest } from "../pool.ts";

const TIMEOUT_MS = 10_000;

/** Returns cookies and storage as JSON. Rejects if the browser does not respond within 10 s. */
export async function readContextState(context: BrowserContext): Promise<string> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = (): void => reject(new Error("The browser did not return its cookies and storage."));
  const timer = setTimeout(late, TIMEOUT_MS);
  const state = context.storageState({ indexedDB: true });
  return JSON.stringify(await Promise.race([state, promise]).finally(() => clearTimeout(timer)));
}

/** Context request options to start with `state`; empty if there is none yet. */
export function buildInitialState(state: string | undefined): Pick<ContextRequest, "storageState"> {
  if (state === undefined) return {};
  type State = Exclude<ContextRequest["storageState"], undefined>;
  return { storageState: JSON.parse(state) as State };
}

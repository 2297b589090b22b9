// A probe is a script that reads a value from a settled page. It runs in an isolated world of the
// main frame with its own built-ins, so the page cannot interfere by patching.
import type { Page } from "playwright-core";
import type { z } from "zod";
import type { Deadline } from "../../deadline.ts";
import { TargetError } from "../../errors.ts";

export type PageProbe<Value = unknown> = {
  /** The value is kept with the capture under this name. */
  readonly name: string;
  /**
   * JavaScript expression whose value is JSON. It must bound its own work and change nothing in the
   * page.
   */
  readonly expression: string;
  readonly schema: z.ZodType<Value>;
  readonly timeoutMs: number;
  /** Subject of the error message. */
  readonly subject: string;
};

/** Values of probes by name, each checked against its schema. */
export type ProbeValues = Readonly<Record<string, unknown>>;

/** Value of the probe; undefined for a page that it did not run on. */
export const readProbed = <Value>(
  probe: PageProbe<Value>,
  values: ProbeValues | undefined,
): Value | undefined => values?.[probe.name] as Value | undefined;

/** Undefined without probes. */
export async function runProbes(
  page: Page,
  probes: readonly PageProbe[],
  deadline: Deadline,
): Promise<ProbeValues | undefined> {
  if (probes.length === 0) return undefined;
  const values: Record<string, unknown> = {};
  for (const probe of probes) values[probe.name] = await runProbe(page, probe, deadline);
  return values;
}

/**
 * Value of one probe. Throws SCRAPE_SITE_ERROR when the page does not answer, or not as the schema
 * says.
 */
export async function runProbe<Value>(
  page: Page,
  probe: PageProbe<Value>,
  deadline: Deadline,
): Promise<Value> {
  using budget = deadline.createChild(probe.timeoutMs);
  const session = await budget.race(page.context().newCDPSession(page));
  try {
    const { frameTree } = await budget.race(session.send("Page.getFrameTree"));
    const { executionContextId } = await budget.race(
      session.send("Page.createIsolatedWorld", {
        frameId: frameTree.frame.id,
        worldName: probe.name,
      }),
    );
    const answer = await budget.race(
      session.send("Runtime.evaluate", {
        expression: probe.expression,
        contextId: executionContextId,
        returnByValue: true,
        timeout: budget.getTimeLeftMs(),
      }),
    );
    const checked = probe.schema.safeParse(answer.result.value);
    if (checked.success) return checked.data;
    const reason = answer.exceptionDetails?.exception?.description ?? checked.error.message;
    throw new TargetError("SCRAPE_SITE_ERROR", `${probe.subject} could not be read.`, {
      cause: new Error(reason.slice(0, 2000)),
    });
  } finally {
    // The result is not awaited, because a stuck page does not answer this either.
    void session.detach().catch(() => undefined);
  }
}

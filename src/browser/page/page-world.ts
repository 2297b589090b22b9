// An isolated world in the page's main frame: functions see its DOM with their own built-ins, so
// the page cannot interfere by patching.
import type { CDPSession, Page } from "playwright-core";
import type { Deadline } from "../../deadline.ts";
import { TargetError } from "../../errors.ts";

const WORLD = "reader";

export class PageWorld {
  readonly session: CDPSession;
  #frameId: string | undefined;
  #contextId: number | undefined;

  private constructor(session: CDPSession) {
    this.session = session;
  }

  /** The session, with what it intercepts, ends with the page. */
  static async open(page: Page, deadline: Deadline): Promise<PageWorld> {
    return new PageWorld(await deadline.race(page.context().newCDPSession(page)));
  }

  /** Id of the page's main frame. */
  async getFrameId(deadline: Deadline): Promise<string> {
    if (this.#frameId !== undefined) return this.#frameId;
    const { frameTree } = await deadline.race(this.session.send("Page.getFrameTree"));
    this.#frameId = frameTree.frame.id;
    return this.#frameId;
  }

  /** Call it before another document is opened, whose world is a new one. */
  leaveDocument(): void {
    this.#contextId = undefined;
  }

  /**
   * Runs `source`, the text of a function, with `argument` (JSON) and returns its result (JSON). If
   * the page is replaced meanwhile, it runs again in the new one. Rejects with SCRAPE_SITE_ERROR if
   * the function throws.
   */
  async run<T>(source: string, argument: unknown, deadline: Deadline): Promise<T> {
    const expression = `(${source})(${JSON.stringify(argument ?? null)})`;
    for (let tries = 0; ; tries++) {
      deadline.check();
      try {
        return await this.#evaluate<T>(expression, deadline);
      } catch (error) {
        this.#contextId = undefined;
        this.#frameId = undefined;
        if (!isReplaced(error)) throw error;
        if (tries >= 5)
          throw new TargetError(
            "SCRAPE_SITE_ERROR",
            "The page keeps reloading or navigating and could not be read.",
            { cause: error },
          );
      }
    }
  }

  async #evaluate<T>(expression: string, deadline: Deadline): Promise<T> {
    this.#contextId ??= await this.#create(deadline);
    const answer = await deadline.race(
      this.session.send("Runtime.evaluate", {
        expression,
        contextId: this.#contextId,
        returnByValue: true,
        awaitPromise: true,
      }),
    );
    if (answer.exceptionDetails !== undefined) {
      const reason = answer.exceptionDetails.exception?.description ?? answer.exceptionDetails.text;
      throw new TargetError("SCRAPE_SITE_ERROR", "The page in the browser could not be read.", {
        cause: new Error(reason.slice(0, 2_000)),
      });
    }
    return answer.result.value as T;
  }

  async #create(deadline: Deadline): Promise<number> {
    const frameId = await this.getFrameId(deadline);
    const { executionContextId } = await deadline.race(
      this.session.send("Page.createIsolatedWorld", { frameId, worldName: WORLD }),
    );
    return executionContextId;
  }
}

/** Protocol errors while a document is replaced. */
const isReplaced = (error: unknown): boolean =>
  error instanceof Error &&
  /context was destroyed|Cannot find context|navigated or closed|No frame for given id|Promise was collected|uniqueContextId not found/.test(
    error.message,
  );

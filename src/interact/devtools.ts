// Exposes one page of a session to a driver over the DevTools protocol, such as agent-browser or
// Playwright's connectOverCDP. The driver sees a browser with this one page. Browser commands are
// answered here and never reach the browser; page commands must be on the allow list
// (devtools-commands.ts). Cross-site frames, workers and further pages are hidden.
import type { CDPSession } from "playwright-core";
import { z } from "zod";
import { findRefusalReason } from "./devtools-commands.ts";
import type { LiveSession } from "./session.ts";

const messageSchema = z.object({
  id: z.int(),
  method: z.string().max(100),
  params: z.record(z.string(), z.unknown()).default({}),
  sessionId: z.string().optional(),
});

type Message = z.output<typeof messageSchema>;

const PAGE_SESSION = "page";
const CONTEXT = "quarry-context";
const METHOD_NOT_FOUND_CODE = -32_601;
const SERVER_ERROR_CODE = -32_000;

export type DevTools = {
  /** Handles one message from the driver. Never rejects. */
  receive(text: string): Promise<void>;
  close(): Promise<void>;
};

/** Opens the protocol on a session's first page; `send` delivers messages to the driver. */
export async function openDevTools(
  session: LiveSession,
  send: (text: string) => void,
): Promise<DevTools> {
  const { context, page } = session.lease;
  const target: CDPSession = await context.newCDPSession(page);
  // Drivers assume that the page's target id is its main frame id, which holds.
  const { targetInfo } = await target.send("Target.getTargetInfo");
  const post = (message: object): void => send(JSON.stringify(message));
  target.on("event", ({ method, params }) => {
    // Target events would reveal what is hidden from the driver.
    if (!method.startsWith("Target.")) post({ method, params, sessionId: PAGE_SESSION });
  });
  const info = () => ({
    targetId: targetInfo.targetId,
    type: "page",
    title: "",
    url: page.url(),
    attached: true,
    canAccessOpener: false,
    browserContextId: CONTEXT,
  });
  const attach = (): void =>
    post({
      method: "Target.attachedToTarget",
      params: { sessionId: PAGE_SESSION, targetInfo: info(), waitingForDebugger: false },
    });

  /** Browser commands that drivers send first. */
  const browserAnswers: Readonly<Record<string, (parameters: Message["params"]) => object>> = {
    "Browser.getVersion": () => ({
      protocolVersion: "1.3",
      product: `Chrome/${context.browser()?.version() ?? ""}`,
      revision: "",
      userAgent: "",
      jsVersion: "",
    }),
    "Browser.setDownloadBehavior": () => ({}),
    "Target.getTargets": () => ({ targetInfos: [info()] }),
    "Target.getTargetInfo": () => ({ targetInfo: info() }),
    "Target.getBrowserContexts": () => ({ browserContextIds: [] }),
    "Target.setDiscoverTargets": ({ discover }) => {
      if (discover === true)
        post({ method: "Target.targetCreated", params: { targetInfo: info() } });
      return {};
    },
    "Target.setAutoAttach": () => {
      attach();
      return {};
    },
    "Target.attachToTarget": () => {
      attach();
      return { sessionId: PAGE_SESSION };
    },
    "Target.detachFromTarget": () => ({}),
    "Target.activateTarget": () => ({}),
  };

  async function answer({ method, params, sessionId }: Message): Promise<object> {
    const toPage = sessionId !== undefined;
    if (toPage && sessionId !== PAGE_SESSION)
      throw new RangeError(`There is no session ${sessionId}.`);
    if (toPage && method === "Target.setAutoAttach") return {};
    if (!toPage || method.startsWith("Target.")) {
      const known = Object.hasOwn(browserAnswers, method) ? browserAnswers[method] : undefined;
      if (known === undefined) throw new RangeError(`${method} is not allowed here.`);
      return known(params);
    }
    const reason = findRefusalReason(method, params);
    if (reason !== undefined) throw new RangeError(reason);
    return (await target.send(method as "Page.enable", params as never)) as object;
  }

  return {
    async receive(text) {
      const message = readMessage(text);
      if (message === undefined || session.ended) return;
      session.recordActivity();
      const { id, sessionId } = message;
      const to = { id, ...(sessionId === undefined ? {} : { sessionId }) };
      try {
        post({ ...to, result: await answer(message) });
      } catch (error) {
        const code = error instanceof RangeError ? METHOD_NOT_FOUND_CODE : SERVER_ERROR_CODE;
        post({
          ...to,
          error: { code, message: error instanceof Error ? error.message : "failed" },
        });
      }
    },
    async close() {
      await target.detach().catch(() => undefined);
    },
  };
}

function readMessage(text: string): Message | undefined {
  try {
    return messageSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

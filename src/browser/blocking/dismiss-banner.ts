// Handles cookie banners: declined by autoconsent if it knows them (MPL-2.0, its script runs in an
// isolated world of the page), otherwise removed. A page without a banner costs a single query.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { CDPSession, Page } from "playwright-core";
import type { Deadline } from "../../deadline.ts";
import { FIND_BANNER, REMOVE_BANNERS } from "./consent-banner.ts";
import type { PageWorld } from "../page/page-world.ts";

const ANSWER_TIMEOUT_MS = 4_000;
const WORLD = "consent";
const BINDING = "sendToService";
const MAX_MESSAGE_CHARACTERS = 100_000;

const CONFIG = {
  enabled: true,
  autoAction: "optOut",
  disabledCmps: [],
  enablePrehide: false,
  enableCosmeticRules: true,
  enableGeneratedRules: true,
  enableHeuristicDetection: true,
  enablePopupMutationObserver: false,
  // The page is already at rest, so nothing more will appear.
  detectRetries: 1,
  isMainWorld: false,
  visualTest: false,
};

/** "answered" and "removed" change the page, which then needs a moment to settle. */
export type BannerEnd = "none" | "answered" | "removed";

/** Removes the page's banner. Rejects only with the deadline's reason. */
export async function dismissBanner(
  page: Page,
  world: PageWorld,
  deadline: Deadline,
): Promise<BannerEnd> {
  if (!(await world.run<boolean>(FIND_BANNER, null, deadline))) return "none";
  using budget = deadline.createChild(Math.min(ANSWER_TIMEOUT_MS, deadline.getTimeLeftMs() / 4));
  const answered = await answer(page, budget).catch(() => false);
  deadline.check();
  const removed = await world.run<number>(REMOVE_BANNERS, null, deadline);
  return removed > 0 ? "removed" : answered ? "answered" : "none";
}

type Message = {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly code?: unknown;
  readonly result?: unknown;
  readonly state?: { readonly lifecycle?: string };
};

/** Runs autoconsent. Returns true if it reports an answer. */
async function answer(page: Page, budget: Deadline): Promise<boolean> {
  const { script, rulesFor } = await loadParts();
  const session = await budget.race(page.context().newCDPSession(page));
  try {
    await session.send("Runtime.enable");
    await session.send("Runtime.addBinding", { name: BINDING, executionContextName: WORLD });
    const { frameTree } = await session.send("Page.getFrameTree");
    const { executionContextId } = await session.send("Page.createIsolatedWorld", {
      frameId: frameTree.frame.id,
      worldName: WORLD,
    });
    const send = async (message: object): Promise<void> => {
      const expression = `autoconsentReceiveMessage(${JSON.stringify(message)})`;
      await session.send("Runtime.evaluate", { expression, contextId: executionContextId });
    };
    const { promise: done, resolve } = Promise.withResolvers<boolean>();
    session.on("Runtime.bindingCalled", ({ name, payload, executionContextId: from }) => {
      if (
        name !== BINDING ||
        from !== executionContextId ||
        payload.length > MAX_MESSAGE_CHARACTERS
      )
        return;
      const message = JSON.parse(payload) as Message;
      react(message, { session, send, rules: () => rulesFor(page.url()), resolve }).catch(() =>
        resolve(false),
      );
    });
    await session.send("Runtime.evaluate", {
      expression: `globalThis.autoconsentSendMessage = (message) => { ${BINDING}(JSON.stringify(message)); return Promise.resolve(); };\n${script}`,
      contextId: executionContextId,
    });
    return await budget.race(done);
  } finally {
    session.detach().catch(() => undefined);
  }
}

async function react(
  message: Message,
  parts: {
    readonly session: CDPSession;
    readonly send: (message: object) => Promise<void>;
    readonly rules: () => object;
    readonly resolve: (answered: boolean) => void;
  },
): Promise<void> {
  switch (message.type) {
    case "init":
      await parts.send({ type: "initResp", config: CONFIG, rules: { compact: parts.rules() } });
      return;
    case "eval": {
      // Code of its rules that must see the page's own variables.
      const answer = await parts.session.send("Runtime.evaluate", {
        expression: String(message.code),
        returnByValue: true,
        awaitPromise: true,
      });
      const result: unknown = answer.exceptionDetails === undefined && answer.result.value;
      await parts.send({ type: "evalResp", id: message.id, result });
      return;
    }
    case "optOutResult":
      if (message.result !== true) parts.resolve(false);
      return;
    case "autoconsentDone":
      parts.resolve(true);
      return;
    case "autoconsentError":
      parts.resolve(false);
      return;
    case "report":
      if (/nothingDetected|Failed/.test(message.state?.lifecycle ?? "")) parts.resolve(false);
      return;
    default:
  }
}

type ConsentParts = { readonly script: string; readonly rulesFor: (url: string) => object };
let loaded: Promise<ConsentParts> | undefined;

/** Loaded at the first banner: half a megabyte that most pages do not need. */
function loadParts(): Promise<ConsentParts> {
  return (loaded ??= (async () => {
    const { filterCompactRules } = await import("@duckduckgo/autoconsent");
    const main = fileURLToPath(import.meta.resolve("@duckduckgo/autoconsent"));
    const read = (file: string): Promise<string> =>
      readFile(path.join(path.dirname(main), file), "utf8");
    const rules = JSON.parse(await read("../rules/compact-rules.json")) as Parameters<
      typeof filterCompactRules
    >[0];
    return {
      script: await read("autoconsent.playwright.js"),
      rulesFor: (url) => filterCompactRules(rules, { url, mainFrame: true }),
    };
  })());
}

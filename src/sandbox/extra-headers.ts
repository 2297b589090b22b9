// Headers that code adds to the requests of a page. They go to one origin: that of the page when
// they were set, or of the first address that is opened after it.
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { withOriginHeaders } from "../url/origin-headers.ts";

type PausedRequest = {
  readonly requestId: string;
  readonly frameId: string;
  readonly resourceType: string;
  readonly request: { readonly url: string; readonly headers: Record<string, string> };
};

type State = {
  headers: Readonly<Record<string, string>>;
  origin: string | undefined;
  readonly session: CDPSession;
};

export class ExtraHeaders {
  readonly #context: BrowserContext;
  readonly #states = new WeakMap<Page, State>();

  constructor(context: BrowserContext) {
    this.#context = context;
  }

  /** Replaces the headers of a page; an empty object ends them. */
  async set(page: Page, headers: Readonly<Record<string, string>>): Promise<void> {
    const lower = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const url = URL.parse(page.url());
    const origin = url !== null && /^https?:$/.test(url.protocol) ? url.origin : undefined;
    const known = this.#states.get(page);
    if (known !== undefined) {
      Object.assign(known, { headers: lower, origin });
      return;
    }
    const session = await this.#context.newCDPSession(page);
    const state: State = { headers: lower, origin, session };
    this.#states.set(page, state);
    const { frameTree } = await session.send("Page.getFrameTree");
    session.on("Fetch.requestPaused", (paused: PausedRequest) => {
      const { requestId, request } = paused;
      const isPage = paused.resourceType === "Document" && paused.frameId === frameTree.frame.id;
      if (isPage && state.origin === undefined) state.origin = URL.parse(request.url)?.origin;
      const changed = withOriginHeaders(request, state.headers, state.origin ?? "");
      session.send("Fetch.continueRequest", { requestId, headers: changed }).catch(() => undefined);
    });
    await session.send("Fetch.enable", { patterns: [{ urlPattern: "*" }] });
  }
}

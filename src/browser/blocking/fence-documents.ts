// Where the page of a tab may go: asked before its document is sent for, for clicks, scripts and redirects as well. What the
// page is made of (frames, images, scripts) is its own business.
import type { CDPSession, Page, Route } from "playwright-core";

export type MayVisit = (url: URL) => boolean;

export type DocumentFence = AsyncDisposable & {
  /** The address that was refused last, since this was last asked. */
  takeRefused(): string | undefined;
  /** The address that a window was opened with until now (empty: none yet), since this was last asked. */
  takeWindow(): Promise<string | undefined>;
};

type Paused = {
  readonly requestId: string;
  readonly frameId: string;
  readonly request: { readonly url: string };
};

const WEB = /^https?:/;

/** Holds until disposed. Windows that the page opens get no document at all. */
export async function fenceDocuments(page: Page, mayVisit: MayVisit): Promise<DocumentFence> {
  let refused: string | undefined;
  let window: string | undefined;
  const session: CDPSession = await page.context().newCDPSession(page);
  session.on("Page.windowOpen", ({ url }) => {
    window = url;
  });
  await session.send("Page.enable");
  const { frameTree } = await session.send("Page.getFrameTree");
  session.on("Fetch.requestPaused", ({ requestId, frameId, request }: Paused) => {
    const url = URL.parse(request.url);
    const isRefused = frameId === frameTree.frame.id && url !== null && !mayVisit(url);
    if (isRefused) refused = request.url;
    const answer = isRefused
      ? // The page that is shown stays.
        session.send("Fetch.failRequest", { requestId, errorReason: "Aborted" })
      : session.send("Fetch.continueRequest", { requestId });
    answer.catch(() => undefined);
  });
  const patterns = [{ urlPattern: "*", resourceType: "Document" as const }];
  await session.send("Fetch.enable", { patterns });
  const onRoute = async (route: Route): Promise<void> => {
    if (!isOfWindow(route, page)) return await route.fallback();
    refused = route.request().url();
    await route.abort("aborted");
  };
  await page.context().route(WEB, onRoute);
  return {
    takeRefused() {
      const last = refused;
      refused = undefined;
      return last;
    },
    async takeWindow() {
      // The page tells in order: when it has answered this, it has told of every window before.
      await session.send("Page.getFrameTree");
      const last = window;
      window = undefined;
      return last;
    },
    async [Symbol.asyncDispose]() {
      await page
        .context()
        .unroute(WEB, onRoute)
        .catch(() => undefined);
      await session.detach().catch(() => undefined);
    },
  };
}

/** Is it the document of another window? */
function isOfWindow(route: Route, page: Page): boolean {
  const request = route.request();
  if (!request.isNavigationRequest()) return false;
  try {
    return request.frame().page() !== page;
  } catch {
    // Its window is not there yet.
    return true;
  }
}

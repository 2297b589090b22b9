// Restricts where a tab may navigate. Checked before the document request, also for clicks, scripts
// and redirects. Subresources (images, scripts, and by default frames) are not restricted.
import type { CDPSession, Page, Route } from "playwright-core";

export type MayVisit = (url: URL) => boolean;

export type NavigationGuard = AsyncDisposable & {
  /** Returns the last refused address since the previous call. */
  takeRefused(): string | undefined;
  /** Returns the address of a window opened since the previous call (empty if not known yet). */
  takeWindow(): Promise<string | undefined>;
};

type PausedRequest = {
  readonly requestId: string;
  readonly frameId: string;
  readonly request: { readonly url: string };
};

const WEB = /^https?:/;

/**
 * Active until disposed. Windows that the page opens get no document at all. With `frames: "all"`
 * documents of frames are checked too: code in a session may put any address into a frame and read
 * it.
 */
export async function restrictNavigation(
  page: Page,
  mayVisit: MayVisit,
  { frames = "main" }: { readonly frames?: "main" | "all" } = {},
): Promise<NavigationGuard> {
  let refused: string | undefined;
  let window: string | undefined;
  const session: CDPSession = await page.context().newCDPSession(page);
  session.on("Page.windowOpen", ({ url }) => {
    window = url;
  });
  await session.send("Page.enable");
  const { frameTree } = await session.send("Page.getFrameTree");
  session.on("Fetch.requestPaused", ({ requestId, frameId, request }: PausedRequest) => {
    const url = URL.parse(request.url);
    const isChecked = frames === "all" || frameId === frameTree.frame.id;
    const isRefused = isChecked && url !== null && !mayVisit(url);
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
    const request = route.request();
    const isForeignFrame =
      frames === "all" && request.isNavigationRequest() && !mayVisit(new URL(request.url()));
    if (!isForeignFrame && !isOfWindow(route, page)) return await route.fallback();
    refused = request.url();
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
      // Events arrive in order, so after this response every earlier window event was received.
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

/** True if the document is for another window. */
function isOfWindow(route: Route, page: Page): boolean {
  const request = route.request();
  if (!request.isNavigationRequest()) return false;
  try {
    return request.frame().page() !== page;
  } catch {
    // Its window does not exist yet.
    return true;
  }
}

// Tracks the documents of the main frame and the response of the last one.
import type { Download, Page, Request, Response } from "playwright-core";
import type { ResponseHeader } from "../../capture.ts";

export type MainAnswer = {
  /** The requested URL; a script may have changed the address since. */
  readonly url: string;
  readonly statusCode: number;
  /** Names in lower case, repeats kept. */
  readonly headers: readonly ResponseHeader[];
};

/**
 * Thrown if the main frame got no document. The message contains Chromium's error code; `url` is
 * the requested address.
 */
export class UnreachedSignal extends Error {
  readonly url: string;
  constructor(reason: string, url: string, cause?: unknown) {
    super(reason, { cause });
    this.url = url;
  }
}

/** Watches the main frame from before the first navigation. */
export class MainDocument implements Disposable {
  readonly #page: Page;
  readonly #requests: Request[] = [];
  readonly #onRequest = (request: Request): void => {
    if (!request.isNavigationRequest() || request.frame() !== this.#page.mainFrame()) return;
    this.#requests.push(request);
    if (this.#requests.length > 100) this.#requests.shift();
  };

  #download: string | undefined;
  readonly #onDownload = (download: Download): void => {
    this.#download = download.url();
  };

  constructor(page: Page) {
    this.#page = page;
    page.on("request", this.#onRequest);
    page.on("download", this.#onDownload);
  }

  /** Address of the file that the page last led to, which a browser does not show. */
  get download(): string | undefined {
    return this.#download;
  }

  /** Throws UnreachedSignal if the main frame shows a browser error page instead of a response. */
  check(): void {
    if (!this.#page.url().startsWith("chrome-error:")) return;
    throw this.createFault(this.#requests.at(-1)?.failure()?.errorText ?? "");
  }

  createFault(reason: string, cause?: unknown): UnreachedSignal {
    return new UnreachedSignal(reason, this.#requests.at(-1)?.url() ?? "", cause);
  }

  /** Returns the response of the current document, or undefined if none has arrived. */
  async answer(): Promise<MainAnswer | undefined> {
    for (const request of this.#requests.toReversed()) {
      if (request.failure() !== null) continue;
      const response: Response | null = await request.response();
      if (response === null) continue;
      const headers = await response.headersArray();
      return {
        url: request.url(),
        statusCode: response.status(),
        headers: headers.map(({ name, value }) => [name.toLowerCase(), value] as const),
      };
    }
    return undefined;
  }

  /** Returns every URL before `finalUrl`, in order. */
  listRedirects(finalUrl: string): string[] {
    const left = this.#requests.map((request) => request.url());
    while (left.at(-1) === finalUrl) left.pop();
    return left.filter((url, index) => url !== left[index + 1]);
  }

  [Symbol.dispose](): void {
    this.#page.off("request", this.#onRequest);
    this.#page.off("download", this.#onDownload);
  }
}

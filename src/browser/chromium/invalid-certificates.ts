// Which frames show a document from a connection whose certificate is not valid. A browser that
// accepts any certificate reports it only in messages that Playwright receives and does not pass on.

type BrowserMessage = {
  readonly method?: string;
  readonly params?: {
    readonly type?: string;
    readonly frameId?: string;
    readonly response?: { readonly url?: string; readonly securityState?: string };
  };
};

/** Frames of closed pages are forgotten when there are more than this. */
const MAX_FRAMES = 1_000;

export class InvalidCertificates {
  readonly #frames = new Set<string>();

  /** Reads one message of the DevTools protocol. */
  record({ method, params }: BrowserMessage): void {
    if (method !== "Network.responseReceived" || params?.type !== "Document") return;
    const { frameId = "", response } = params;
    this.#frames.delete(frameId);
    if (response?.securityState !== "insecure" || response.url?.startsWith("https:") !== true)
      return;
    this.#frames.add(frameId);
    const [oldest] = this.#frames;
    if (this.#frames.size > MAX_FRAMES && oldest !== undefined) this.#frames.delete(oldest);
  }

  /** True if the last document of the frame had an invalid certificate. */
  has(frameId: string): boolean {
    return this.#frames.has(frameId);
  }
}

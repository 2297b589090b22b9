// Stored extractors: learned once from examples, pages or a model, then run on any page of the
// template.
import type { ResourceLink } from "./session.ts";
import type { CallOptions } from "./transport.ts";
import type {
  Extractor,
  ExtractorChange,
  ExtractorList,
  ExtractorReply,
  ExtractorRequest,
  ExtractorRun,
  ExtractorRunRequest,
  ExtractorTest,
  ExtractorTestRequest,
} from "./wire.ts";

export type ExtractorsLink = ResourceLink;

const PATH = "/v2/extractors";
const buildPath = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

export class Extractors {
  readonly #link: ExtractorsLink;

  constructor(link: ExtractorsLink) {
    this.#link = link;
  }

  /**
   * Creates an extractor from `examples`, `urls` or a `program`; `warning` names fields that were
   * not learned. Throws EXTRACTOR_NOT_LEARNED when none was.
   */
  async create(request: ExtractorRequest, options: CallOptions = {}): Promise<ExtractorReply> {
    const body = { origin: this.#link.origin, ...request };
    return (await this.#link.call({ method: "POST", path: PATH, body }, options)) as ExtractorReply;
  }

  /** Extractors of the account, newest first; pass `cursor` back until it is null. */
  async list(
    query: { limit?: number | undefined; cursor?: string | undefined } = {},
    options: CallOptions = {},
  ): Promise<ExtractorList> {
    return (await this.#link.call({ method: "GET", path: PATH, query }, options)) as ExtractorList;
  }

  /** Returns an extractor with its program and its health. */
  async get(id: string, options: CallOptions = {}): Promise<Extractor> {
    return (await this.#link.call({ method: "GET", path: buildPath(id) }, options))[
      "data"
    ] as Extractor;
  }

  /** Renames an extractor, replaces its program, or learns it again from `examples`. */
  async change(
    id: string,
    change: ExtractorChange,
    options: CallOptions = {},
  ): Promise<ExtractorReply> {
    const body = { origin: this.#link.origin, ...change };
    return (await this.#link.call(
      { method: "PATCH", path: buildPath(id), body },
      options,
    )) as ExtractorReply;
  }

  async delete(id: string, options: CallOptions = {}): Promise<void> {
    await this.#link.call({ method: "DELETE", path: buildPath(id) }, options);
  }

  /**
   * Gets the data of up to 20 pages; for more start a batch with `{ type: "json", extractor: id }`.
   */
  async run(
    id: string,
    urls: readonly string[],
    parameters: Omit<ExtractorRunRequest, "urls"> = {},
    options: CallOptions = {},
  ): Promise<ExtractorRun> {
    const body = { origin: this.#link.origin, ...parameters, urls };
    return (await this.#link.call(
      { method: "POST", path: `${buildPath(id)}/run`, body },
      options,
    )) as ExtractorRun;
  }

  /** Compares the output of the extractor with its examples, or with others. */
  async test(
    id: string,
    parameters: NonNullable<ExtractorTestRequest> = {},
    options: CallOptions = {},
  ): Promise<ExtractorTest> {
    const body = { origin: this.#link.origin, ...parameters };
    return (await this.#link.call(
      { method: "POST", path: `${buildPath(id)}/test`, body },
      options,
    )) as ExtractorTest;
  }
}

// Monitors: pages checked on a schedule, with what changed and who was told.
import type { ResourceLink } from "./session.ts";
import type { CallOptions } from "./transport.ts";
import type {
  Monitor,
  MonitorChange,
  MonitorCheck,
  MonitorCheckWithPages,
  MonitorDelivery,
  MonitorDryRun,
  MonitorDryRunRequest,
  MonitorEstimate,
  MonitorRequest,
  MonitorTestResult,
} from "./wire.ts";

export type MonitorsLink = ResourceLink;

const PATH = "/v2/monitor";
const buildPath = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;
type Paging = { limit?: number | undefined; offset?: number | undefined };

export class Monitors {
  readonly #link: MonitorsLink;

  constructor(link: MonitorsLink) {
    this.#link = link;
  }

  async #send<T>(
    method: "POST" | "PATCH",
    path: string,
    body: object,
    options: CallOptions,
  ): Promise<T> {
    const reply = await this.#link.call(
      { method, path, body: { origin: this.#link.origin, ...body } },
      options,
    );
    return reply["data"] as T;
  }

  async #read<T>(path: string, query: Paging & object, options: CallOptions): Promise<T> {
    return (await this.#link.call({ method: "GET", path, query: { ...query } }, options))[
      "data"
    ] as T;
  }

  /** Saves a monitor; its first check runs at its next time. */
  async create(request: MonitorRequest, options: CallOptions = {}): Promise<Monitor> {
    return await this.#send("POST", PATH, request, options);
  }

  /** When a monitor would run and what it would cost; saves nothing. */
  async estimate(request: MonitorRequest, options: CallOptions = {}): Promise<MonitorEstimate> {
    return await this.#send("POST", `${PATH}/estimate`, request, options);
  }

  /** Newest first. `cursor` is the id of the last monitor of the previous page. */
  async list(
    query: Paging & { cursor?: string | undefined } = {},
    options: CallOptions = {},
  ): Promise<Monitor[]> {
    return await this.#read(PATH, query, options);
  }

  async get(id: string, options: CallOptions = {}): Promise<Monitor> {
    return await this.#read(buildPath(id), {}, options);
  }

  /** Changes what is given; null removes a setting. */
  async change(id: string, change: MonitorChange, options: CallOptions = {}): Promise<Monitor> {
    return await this.#send("PATCH", buildPath(id), change, options);
  }

  async delete(id: string, options: CallOptions = {}): Promise<void> {
    await this.#link.call({ method: "DELETE", path: buildPath(id) }, options);
  }

  /** Starts a check. Throws ConflictError while one runs. */
  async run(id: string, options: CallOptions = {}): Promise<MonitorCheck> {
    return await this.#send("POST", `${buildPath(id)}/run`, {}, options);
  }

  /** Checks of a monitor, newest first. */
  async checks(
    id: string,
    query: Paging & { status?: MonitorCheck["status"] | undefined } = {},
    options: CallOptions = {},
  ): Promise<MonitorCheck[]> {
    return await this.#read(`${buildPath(id)}/checks`, query, options);
  }

  /** A check with its pages and diffs; `next` is null on the last page. */
  async check(
    id: string,
    checkId: string,
    query: {
      limit?: number | undefined;
      skip?: number | undefined;
      status?: string | undefined;
    } = {},
    options: CallOptions = {},
  ): Promise<MonitorCheckWithPages> {
    return await this.#read(
      `${buildPath(id)}/checks/${encodeURIComponent(checkId)}`,
      query,
      options,
    );
  }

  /** The notifications of a monitor, newest first. */
  async deliveries(
    id: string,
    query: Paging = {},
    options: CallOptions = {},
  ): Promise<MonitorDelivery[]> {
    return await this.#read(`${buildPath(id)}/deliveries`, query, options);
  }

  /** Sends a test to a channel, or to all, and returns how each answered. */
  async test(
    id: string,
    channel?: string,
    options: CallOptions = {},
  ): Promise<MonitorTestResult[]> {
    const body = channel === undefined ? {} : { channel };
    return await this.#send("POST", `${buildPath(id)}/test`, body, options);
  }

  /** Makes a filter of a line of a diff: such lines never count, or always. */
  async feedback(
    id: string,
    feedback: { line: string; verdict: "ignore" | "matters" },
    options: CallOptions = {},
  ): Promise<Monitor> {
    return await this.#send("POST", `${buildPath(id)}/feedback`, feedback, options);
  }

  /** Which stored versions would have notified under the given rules. */
  async dryRun(
    id: string,
    rules: MonitorDryRunRequest = {},
    options: CallOptions = {},
  ): Promise<MonitorDryRun[]> {
    return await this.#send("POST", `${buildPath(id)}/dry-run`, rules, options);
  }
}

// Pages without the requested content that answer 200. Passes if a field reports it or the answer
// is an error.
import { reportBroke, reportHeld, type HostileCase, type Severity } from "../hostile-case.ts";
import { describeReply, type Reply } from "../target.ts";

/** Returns the word in the answer that marks the page as other content; undefined without one. */
function findMark(reply: Reply): string | undefined {
  const { status, body, data } = reply;
  if (status !== 200 || body["success"] !== true) return describeReply(reply);
  const metadata = (data["metadata"] ?? {}) as Record<string, unknown>;
  const verdict = metadata["verdict"];
  const kind =
    typeof verdict === "object" && verdict !== null
      ? (verdict as Record<string, unknown>)["kind"]
      : verdict;
  if (typeof kind === "string" && kind !== "content") return `verdict ${kind}`;
  if (typeof metadata["error"] === "string") return `error "${metadata["error"].slice(0, 100)}"`;
  if (typeof data["warning"] === "string") return `warning "${data["warning"].slice(0, 100)}"`;
  return undefined;
}

export type FalsePage = Pick<HostileCase, "name" | "attack"> & {
  readonly severity: Severity;
  readonly html: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export const buildFalseContent = ({
  name,
  attack,
  severity,
  html,
  headers = {},
}: FalsePage): HostileCase => ({
  name,
  attack,
  promise: "The answer says that the page is not its content.",
  severity,
  budgetMs: 60_000,
  async run({ target, site }) {
    const page = site.serve(
      name,
      (_request, response) =>
        void response.writeHead(200, { "content-type": "text/html", ...headers }).end(html),
    );
    const reply = await target.scrape(page.url, {}, 25_000);
    if (page.requests() === 0 || reply.status === 0) return reportBroke(describeReply(reply));
    const mark = findMark(reply);
    return mark === undefined
      ? reportBroke(`returned as content: ${JSON.stringify(reply.data["markdown"]).slice(0, 120)}`)
      : reportHeld(mark);
  },
});

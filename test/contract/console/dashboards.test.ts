// Dashboards, alert rules and documents name metrics, labels and label values as text.
import { execFileSync } from "node:child_process";
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { VERDICTS } from "../../../src/contract/page/verdict.ts";
import { startService, type Service } from "../../service.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const read = (file: string): Promise<string> => readFile(path.join(root, file), "utf8");

type Query = { readonly place: string; readonly expr: string };

/** Every string under a key `expr` or `query` that is PromQL. */
function findQueries(place: string, value: unknown): Query[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]): Query[] => {
    if (key === "expr" && typeof child === "string") return [{ place, expr: child }];
    return findQueries(place, child);
  });
}

const FUNCTIONS = new Set([
  "rate",
  "increase",
  "sum",
  "max",
  "min",
  "avg",
  "count",
  "histogram_quantile",
  "clamp_min",
]);
const KEYWORDS = new Set([
  "by",
  "without",
  "on",
  "ignoring",
  "and",
  "or",
  "unless",
  "bool",
  "offset",
]);
const GROUPINGS = new Set(["by", "without", "on", "ignoring"]);
/** Labels that Prometheus adds to what it scrapes. */
const ADDED_LABELS = new Set(["instance", "job"]);
const TOKEN =
  /\s+|"(?:[^"\\]|\\.)*"|\$__rate_interval|\d+(?:\.\d+)?(?:e\d+)?[smhd]?|[A-Za-z_:][\w:]*|=~|!~|!=|>=|<=|==|[-+*/%^<>=(){}[\],]/y;

type Usage = {
  readonly metrics: Set<string>;
  /** Labels by which the query groups or joins. */
  readonly groups: string[];
  /** Labels that the query matches, once for each expected value. */
  readonly labels: { readonly metric: string; readonly label: string; readonly value?: string }[];
};

/** Reads the part of PromQL that our queries use; throws at anything else. */
function readQuery({ place, expr }: Query): Usage {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < expr.length) {
    const at = TOKEN.lastIndex;
    const [token] = TOKEN.exec(expr) ?? [];
    if (token === undefined) throw new Error(`${place}: cannot read ${expr.slice(at)}`);
    if (token.trim() !== "") tokens.push(token);
  }
  const usage: Usage = { metrics: new Set(), groups: [], labels: [] };
  const open: string[] = [];
  let metric = "";
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? "";
    if ("([{".includes(token)) open.push(token);
    else if (")]}".includes(token)) {
      const pair = `${open.pop() ?? ""}${token}`;
      if (!["()", "[]", "{}"].includes(pair)) throw new Error(`${place}: ${pair} in ${expr}`);
    } else if (open.at(-1) === "{") {
      if (token === ",") continue;
      const [operator = "", text = ""] = tokens.slice(at + 1, at + 3);
      const values = text.slice(1, -1).split("|");
      for (const value of text.includes("$") || text.includes("..") ? [] : values)
        usage.labels.push({ metric, label: token, value });
      if (!operator.includes("=")) throw new Error(`${place}: no matcher after ${token}: ${expr}`);
      usage.labels.push({ metric, label: token });
      at += 2;
    } else if (GROUPINGS.has(token)) {
      if (tokens[at + 1] !== "(") throw new Error(`${place}: no list after ${token}: ${expr}`);
      for (at += 2; tokens[at] !== ")"; at++)
        if (tokens[at] !== ",") usage.groups.push(tokens[at] ?? "");
    } else if (/^[A-Za-z_:]/.test(token) && !FUNCTIONS.has(token) && !KEYWORDS.has(token)) {
      metric = token;
      usage.metrics.add(token);
    }
  }
  if (open.length > 0) throw new Error(`${place}: unbalanced ${expr}`);
  return usage;
}

type Metric = { readonly help: string; readonly labels: ReadonlySet<string> };

let service: Service;
let scraped: ReadonlyMap<string, Metric>;

const isKnown = ({ metric, label }: { metric: string; label: string }): boolean =>
  ADDED_LABELS.has(label) || scraped.get(metric)?.labels.has(label) === true;

/** The metrics of the text with their labels; declared ones for metrics without a value yet. */
async function scrapeMetrics(): Promise<Map<string, Metric>> {
  const { text } = await service.ask("/metrics", { key: null });
  const declared = service.app.metrics.registry.getMetricsAsArray() as unknown as readonly {
    name: string;
    labelNames?: readonly string[];
  }[];
  const found = new Map<string, Metric>();
  for (const [, name = "", help = ""] of text.matchAll(/^# HELP (\S+) (.*)$/gm)) {
    const type = new RegExp(`^# TYPE ${name} (\\w+)$`, "m").exec(text)?.[1];
    const labels = new Set(declared.find((metric) => metric.name === name)?.labelNames ?? []);
    found.set(name, { help, labels });
    if (type === "histogram")
      found.set(`${name}_bucket`, { help, labels: new Set([...labels, "le"]) });
  }
  return found;
}

const dashboards = (await readdir(path.join(root, "deploy/grafana"))).map(
  (name) => `deploy/grafana/${name}`,
);
const queriesOf = async (file: string): Promise<Query[]> =>
  findQueries(file, parse(await read(file)) as unknown);

beforeAll(async () => {
  service = await startService(undefined);
  await service.scrape({ url: "http://127.0.0.1:9/", formats: ["markdown"] });
  scraped = await scrapeMetrics();
});
afterAll(() => service.close());

it.each([...dashboards, "deploy/prometheus/alerts.yaml"])(
  "every metric, label and label value that %s names exists",
  async (file) => {
    const queries = await queriesOf(file);
    expect(queries.length).toBeGreaterThan(10);
    const wrong: string[] = [];
    for (const query of queries) {
      const { metrics, groups, labels } = readQuery(query);
      expect(metrics.size, query.expr).toBeGreaterThan(0);
      for (const name of metrics) if (!scraped.has(name)) wrong.push(`${name}: ${query.expr}`);
      for (const label of groups)
        if (![...metrics].some((metric) => isKnown({ metric, label })))
          wrong.push(`by ${label}: ${query.expr}`);
      for (const { metric, label, value } of labels) {
        const known = scraped.get(metric);
        if (known === undefined || !isKnown({ metric, label })) wrong.push(`${metric}{${label}}`);
        // The help text lists the values of a label; routes are known from the API.
        else if (value !== undefined && label !== "route" && !isNamed(known.help, value))
          wrong.push(`${metric}{${label}="${value}"}`);
      }
    }
    expect(wrong).toEqual([]);
  },
);

const isNamed = (help: string, value: string): boolean =>
  new RegExp(`\\b${value}\\b`).test(help) ||
  (help.includes("verdict") && (VERDICTS as readonly string[]).includes(value));

it("the reader of queries finds unknown names and unbalanced brackets", () => {
  const reading = (expr: string) => readQuery({ place: "here", expr });
  expect([...reading('sum by (route) (rate(quarry_nothing{state="x"}[5m]))').metrics]).toEqual([
    "quarry_nothing",
  ]);
  expect(() => reading("sum(rate(quarry_http_requests_total[5m])")).toThrow("unbalanced");
  expect(() => reading("sum by route (quarry_scrapes_active)")).toThrow("no list after by");
});

it.each(["docs/observability.md", "docs/kubernetes.md", "deploy/helm/quarry/values.yaml"])(
  "every metric that %s names exists",
  async (file) => {
    const named = (await read(file)).match(/\b(?:quarry_[a-z]+_[a-z_]+|nodejs_[a-z0-9_]+)/g) ?? [];
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !scraped.has(name))).toEqual([]);
  },
);

it("every metric that the console reads exists", async () => {
  const screen = await read("src/console/app/screens/health/overview.ts");
  const named = screen.match(/"quarry_\w+"/g) ?? [];
  expect(named.length).toBeGreaterThan(5);
  expect(named.map((name) => name.slice(1, -1)).filter((name) => !scraped.has(name))).toEqual([]);
});

const hasPromtool = ((): boolean => {
  try {
    execFileSync("promtool", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

it.skipIf(!hasPromtool)("promtool accepts the alert rules", () => {
  const rules = path.join(root, "deploy/prometheus/alerts.yaml");
  expect(execFileSync("promtool", ["check", "rules", rules], { encoding: "utf8" })).toContain(
    "SUCCESS",
  );
});

it("dashboards have an identifier of their own and panels that do not overlap", async () => {
  const boards = await Promise.all(
    dashboards.map(async (file) => JSON.parse(await read(file)) as Board),
  );
  expect(new Set(boards.map(({ uid }) => uid)).size).toBe(boards.length);
  for (const { panels } of boards) {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const one of panels)
      for (const other of panels)
        if (one !== other) expect(overlap(one.gridPos, other.gridPos), one.title).toBe(false);
  }
});

type Place = { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
type Board = {
  readonly uid: string;
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly gridPos: Place;
  }[];
};
const overlap = (one: Place, other: Place): boolean =>
  one.x < other.x + other.w &&
  other.x < one.x + one.w &&
  one.y < other.y + other.h &&
  other.y < one.y + one.h;

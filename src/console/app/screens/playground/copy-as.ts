// The request in other languages. It never contains the key: the snippets read it from the
// environment.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { toText } from "../../data/format.ts";
import { codeView } from "../../ui/code-view.ts";
import { copyButton } from "../../ui/copy.ts";
import { dom } from "../../ui/dom.ts";
import { segments } from "../../ui/fields.ts";
import type { Mode } from "./modes.ts";

type Body = Readonly<Record<string, unknown>>;
type Language = {
  readonly id: string;
  readonly label: string;
  readonly write: (mode: Mode, body: Body, origin: string) => string;
};

/** Quotes for a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** JSON as a Python literal. */
function toPython(value: unknown, indent = ""): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const deeper = `${indent}    `;
  const [open, close, items] = Array.isArray(value)
    ? ["[", "]", value.map((one) => toPython(one, deeper))]
    : [
        "{",
        "}",
        Object.entries(value).map(
          ([name, one]) => `${JSON.stringify(name)}: ${toPython(one, deeper)}`,
        ),
      ];
  if (items.length === 0) return open + close;
  return `${open}\n${items.map((item) => deeper + item).join(",\n")}\n${indent}${close}`;
}

type CommandOption = (value: unknown) => string | undefined;

const number =
  (option: string): CommandOption =>
  (value) =>
    typeof value === "number" ? `${option} ${value}` : undefined;
const isTrue =
  (option: string): CommandOption =>
  (value) =>
    value === true ? option : undefined;
const isFalse =
  (option: string): CommandOption =>
  (value) =>
    value === false ? option : undefined;
const each =
  (option: string): CommandOption =>
  (value) =>
    Array.isArray(value)
      ? value.map((one) => `${option} ${quote(toText(one))}`).join(" ")
      : undefined;

const PAGE_OPTIONS: Readonly<Record<string, CommandOption>> = {
  onlyMainContent: isFalse("--whole-page"),
  timeout: number("--timeout"),
  maxAge: number("--max-age"),
  proxy: (value) => (typeof value === "string" ? `--proxy ${value}` : undefined),
};

const CRAWL_OPTIONS: Readonly<Record<string, CommandOption>> = {
  limit: number("--limit"),
  includePaths: each("--include"),
  excludePaths: each("--exclude"),
  maxDiscoveryDepth: number("--depth"),
  crawlEntireDomain: isTrue("--entire-domain"),
  allowSubdomains: isTrue("--subdomains"),
  allowExternalLinks: isTrue("--external-links"),
  delay: number("--delay"),
  ignoreRobotsTxt: isTrue("--ignore-robots"),
};

const COMMAND_OPTIONS: Readonly<
  Partial<Record<Mode["id"], Readonly<Record<string, CommandOption>>>>
> = {
  scrape: PAGE_OPTIONS,
  batch: PAGE_OPTIONS,
  crawl: CRAWL_OPTIONS,
  map: {
    search: (value) => (typeof value === "string" ? `--search ${quote(value)}` : undefined),
    limit: number("--limit"),
    timeout: number("--timeout"),
  },
  search: { limit: number("--limit") },
  agent: {},
  parse: {},
};

/**
 * Writes a request as a command line. Options without a flag are named in a comment, so that the
 * copied request never differs silently.
 */
function toCommand({ id }: Mode, body: Body): string {
  const known = COMMAND_OPTIONS[id];
  if (known === undefined) return `# The command line has no "${id}"; use the API, as under curl.`;
  const { url, urls, query, prompt, formats = [], ...rest } = body;
  const list = Array.isArray(urls) ? urls.map(toText) : [];
  const target =
    id === "batch" ? "-" : id === "parse" ? "report.pdf" : toText(url ?? query ?? prompt ?? "");
  const parts = [`npx quarry ${id} ${id === "batch" ? target : quote(target)}`];
  if (id === "agent") parts.push(...list.map((one) => `--url ${quote(one)}`));
  const names = Array.isArray(formats) ? (formats as unknown[]) : [];
  parts.push(...names.flatMap((format) => (typeof format === "string" ? [`-f ${format}`] : [])));
  const missing = names.flatMap((format) =>
    typeof format === "string" ? [] : ["formats with options"],
  );
  for (const [name, value] of Object.entries(rest)) {
    const written = known[name]?.(value);
    if (written === undefined) missing.push(name);
    else parts.push(written);
  }
  const command =
    id === "batch"
      ? `printf '%s\\n' ${list.map(quote).join(" ")} | ${parts.join(" ")}`
      : parts.join(" ");
  return missing.length === 0
    ? command
    : `${command}\n# not written here: ${[...new Set(missing)].join(", ")}; see npx quarry ${id} --help`;
}

type Tool = { readonly name: string; readonly arguments: Body };

const pick = (body: Body, ...names: readonly string[]): Body =>
  Object.fromEntries(
    names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])),
  );

/** Returns the closest MCP tool; undefined if there is none. */
function toTool({ id }: Mode, body: Body): Tool | undefined {
  if (id === "scrape") return { name: "read", arguments: { target: body["url"] } };
  if (id === "map") return { name: "map", arguments: pick(body, "url", "search", "limit") };
  if (id === "search") return { name: "search", arguments: pick(body, "query", "limit") };
  if (id === "crawl")
    return { name: "crawl", arguments: pick(body, "url", "limit", "includePaths", "excludePaths") };
  if (id === "agent")
    return { name: "agent", arguments: pick(body, "prompt", "urls", "schema", "maxCredits") };
  return undefined;
}

function toToolCall(mode: Mode, body: Body, origin: string): string {
  const tool = toTool(mode, body);
  if (tool === undefined) return `// No tool of ${origin}/mcp does this; use the API.`;
  return `// POST ${origin}/mcp with the header Authorization: Bearer KEY\n${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: tool }, null, 2)}`;
}

const LANGUAGES: readonly Language[] = [
  {
    id: "curl",
    label: "curl",
    write: ({ path, field }, body, origin) =>
      field === "file"
        ? `curl ${origin}${path} \\\n  -H "Authorization: Bearer $QUARRY_API_KEY" \\\n  -F file=@report.pdf \\\n  -F options=${quote(JSON.stringify(body))}`
        : `curl ${origin}${path} \\\n  -H "Authorization: Bearer $QUARRY_API_KEY" \\\n  -H "Content-Type: application/json" \\\n  -d ${quote(JSON.stringify(body, null, 2))}`,
  },
  {
    id: "js",
    label: "JavaScript",
    write: ({ path }, body, origin) =>
      `const response = await fetch("${origin}${path}", {\n  method: "POST",\n  headers: {\n    authorization: \`Bearer \${process.env.QUARRY_API_KEY}\`,\n    "content-type": "application/json",\n  },\n  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll("\n", "\n  ")}),\n});\nconsole.log(await response.json());`,
  },
  {
    id: "python",
    label: "Python",
    write: ({ path }, body, origin) =>
      `import os, requests\n\nresponse = requests.post(\n    "${origin}${path}",\n    headers={"Authorization": f"Bearer {os.environ['QUARRY_API_KEY']}"},\n    json=${toPython(body, "    ")},\n)\nprint(response.json())`,
  },
  { id: "cli", label: "CLI", write: (mode, body) => toCommand(mode, body) },
  { id: "mcp", label: "MCP", write: toToolCall },
];

export type CopyAsProps = {
  readonly mode: Mode;
  readonly body: Body;
  readonly onCopied?: () => void;
};

export function CopyAs({ mode, body, onCopied }: CopyAsProps): VNode {
  const [language, setLanguage] = useState("curl");
  const { write } = LANGUAGES.find(({ id }) => id === language) ?? (LANGUAGES[0] as Language);
  const text = write(mode, body, location.origin);
  return dom.div(
    { class: "stack" },
    dom.div(
      { class: "row spread wrap" },
      segments({
        label: "Language",
        value: language,
        options: LANGUAGES.map(({ id, label }) => ({ value: id, label })),
        onChange: setLanguage,
      }),
      copyButton(text, "Copy the request", onCopied),
    ),
    codeView(text, { label: "Request" }),
  );
}

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Scope } from "../../../../contract/account/scopes.ts";
import { call } from "../../data/api.ts";
import { button } from "../../ui/button.ts";
import { codeView } from "../../ui/code-view.ts";
import { copyButton } from "../../ui/copy.ts";
import { dialog } from "../../ui/dialog.ts";
import { create, dom } from "../../ui/dom.ts";
import { errorBox } from "../../ui/feedback.ts";
import { Field, segments, textInput } from "../../ui/fields.ts";
import { icon } from "../../ui/icons.ts";
import type { NewKeyView } from "./key-views.ts";
import { limitFields, toLimit, type LimitTexts } from "./limit-fields.ts";

const SCOPES: readonly (readonly [scope: Scope, text: string])[] = [
  ["read", "plain GET for readers"],
  ["scrape", "scrape, map, search, parse"],
  ["jobs", "crawl, batch, agent, browser sessions"],
  ["admin", "keys, accounts, checks, settings"],
];

const DAY_MS = 86_400_000;

export type CreateKeyProps = {
  readonly account: string;
  readonly onClose: () => void;
  readonly onMade: (key: NewKeyView) => void;
};

export function CreateKey({ account, onClose, onMade }: CreateKeyProps): VNode {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly Scope[]>(["read", "scrape", "jobs"]);
  const [hosts, setHosts] = useState("");
  const [days, setDays] = useState("");
  const [limits, setLimits] = useState<LimitTexts>({});
  const [fault, setFault] = useState<Error>();
  const make = (): void => {
    const allowHosts = hosts.split(/[\s,]+/).filter((host) => host !== "");
    const given = Object.entries(limits).flatMap(([field, text]) =>
      text === "" ? [] : [[field, toLimit(text)] as const],
    );
    const body = {
      name: name.trim(),
      account,
      scopes,
      ...Object.fromEntries(given),
      ...(allowHosts.length > 0 && { allowHosts }),
      ...(days !== "" && { expiresAt: Date.now() + Number(days) * DAY_MS }),
    };
    call<{ data: NewKeyView }>("POST", "/admin/keys", { body }).then(
      ({ data }) => onMade(data),
      (error: unknown) => setFault(error instanceof Error ? error : new Error(String(error))),
    );
  };
  const toggle = (scope: Scope): void =>
    setScopes(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope]);
  return dialog({
    title: "New key",
    onClose,
    body: dom.form(
      {
        id: "new-key",
        class: "stack gap-l",
        onSubmit: (event) => {
          event.preventDefault();
          make();
        },
      },
      fault !== undefined && errorBox(fault),
      create(Field, {
        label: "Name",
        help: "Of the program or person that uses it.",
        control: (ties) =>
          textInput({ ...ties, value: name, onInput: setName, placeholder: "nightly-crawl" }),
      }),
      dom.fieldset(
        { class: "form-group" },
        dom.legend(null, "May"),
        ...SCOPES.map(([scope, text]) =>
          dom.label(
            { key: scope, class: "check" },
            dom.input({
              type: "checkbox",
              checked: scopes.includes(scope),
              onChange: () => toggle(scope),
            }),
            dom.strong({ class: "weight-m" }, scope),
            dom.span({ class: "faint small" }, text),
          ),
        ),
      ),
      limitFields(limits, setLimits),
      create(Field, {
        label: "Hosts it may fetch",
        help: "example.com or *.example.com, with spaces between them; any when empty.",
        control: (ties) => textInput({ ...ties, value: hosts, onInput: setHosts, mono: true }),
      }),
      create(Field, {
        label: "Days until it expires",
        help: "Never when empty.",
        control: (ties) =>
          textInput({ ...ties, value: days, onInput: setDays, type: "number", min: 1 }),
      }),
    ),
    foot: [
      button({ label: "Cancel", onClick: onClose }),
      dom.button(
        {
          type: "submit",
          form: "new-key",
          class: "button primary",
          disabled: name.trim() === "" || scopes.length === 0,
        },
        "Create the key",
      ),
    ],
  });
}

type Snippet = {
  readonly id: string;
  readonly label: string;
  readonly write: (origin: string, key: string) => string;
};

const SNIPPETS: readonly Snippet[] = [
  {
    id: "curl",
    label: "curl",
    write: (origin, key) =>
      `export QUARRY_API_KEY=${key}\ncurl ${origin}/v2/scrape \\\n  -H "Authorization: Bearer $QUARRY_API_KEY" \\\n  -H "Content-Type: application/json" \\\n  -d '{"url": "https://example.com"}'`,
  },
  {
    id: "js",
    label: "JavaScript",
    write: (origin) =>
      `// npm install @mendable/firecrawl-js@latest\nimport { Firecrawl } from "@mendable/firecrawl-js";\n\nconst client = new Firecrawl({\n  apiUrl: "${origin}",\n  apiKey: process.env.QUARRY_API_KEY,\n});\nconsole.log((await client.scrape("https://example.com")).markdown);`,
  },
  {
    id: "python",
    label: "Python",
    write: (origin) =>
      `# pip install firecrawl-py\nimport os\nfrom firecrawl import Firecrawl\n\nclient = Firecrawl(api_url="${origin}", api_key=os.environ["QUARRY_API_KEY"])\nprint(client.scrape("https://example.com").markdown)`,
  },
  {
    id: "mcp",
    label: "MCP",
    write: (origin, key) =>
      JSON.stringify(
        {
          mcpServers: {
            quarry: { url: `${origin}/mcp`, headers: { Authorization: `Bearer ${key}` } },
          },
        },
        null,
        2,
      ),
  },
];

/** Shows the key once, with instructions. */
export function KeyShown({
  made,
  onClose,
}: {
  readonly made: NewKeyView;
  readonly onClose: () => void;
}): VNode {
  const [id, setId] = useState("curl");
  const snippet = SNIPPETS.find((one) => one.id === id) ?? (SNIPPETS[0] as Snippet);
  const text = snippet.write(location.origin, made.key);
  return dialog({
    title: `The key “${made.name}”`,
    onClose,
    body: [
      dom.p(
        { class: "notice row" },
        icon("warn"),
        "Copy it now: the server keeps only its hash and cannot show it again.",
      ),
      dom.div(
        { class: "row key-shown" },
        dom.code({ class: "break grow" }, made.key),
        copyButton(made.key, "Copy the key"),
      ),
      dom.div(
        { class: "row spread wrap" },
        segments({
          label: "Language",
          value: id,
          options: SNIPPETS.map(({ id: value, label }) => ({ value, label })),
          onChange: setId,
        }),
        copyButton(text, "Copy the snippet"),
      ),
      codeView(text, { label: "How to use it" }),
    ],
    foot: button({ label: "I have it", kind: "primary", onClick: onClose }),
  });
}

// The texts that a monitor takes, listed from its schema, and what each must withstand.
import { z } from "zod";
import { monitorRequestSchema } from "../../../src/contract/jobs/monitor.ts";

export type Kind =
  /** Any text, which is shown again as text. */
  | "shown"
  /** A form that markup does not have. */
  | "checked"
  /** A page that is fetched. */
  | "page"
  /** A receiver: encrypted at rest, and checked before it is stored. */
  | "address"
  /** Never returned, encrypted at rest. */
  | "secret"
  /** Name of a header. */
  | "header"
  /** Options of a scrape, which have their own tests. */
  | "options";

/** Each field is matched by one of these. */
export const CASES: readonly (readonly [RegExp, Kind])[] = [
  [/^(?:name|goal|origin|integration)$/, "shown"],
  [/^schedule\.(?:cron|text|timezone|window\.from|window\.to)$/, "checked"],
  [/^pauseUntil$/, "checked"],
  [/^targets\[\]<\w+>\.id$/, "shown"],
  [/^targets\[\]<scrape>\.urls\[\]$/, "page"],
  [/^targets\[\]<(?:crawl|map)>\.url$/, "page"],
  [/^targets\[\]<map>\.search$/, "shown"],
  [/^targets\[\]<search>\.(?:queries|includeDomains|excludeDomains)\[\]$/, "shown"],
  [/^targets\[\]<\w+>\.(?:scrapeOptions|crawlOptions)$/, "options"],
  [/^targets\[\]<\w+>\.scope\.(?:linesMatching|linesNotMatching|fields)\[\]$/, "shown"],
  [/^targets\[\]<\w+>\.scope\.jsonPaths\[\]$/, "checked"],
  [/^webhook\.url$/, "address"],
  [/^(?:webhook|channels\[\]<webhook>)\.headers(?:\.\*|\[\]\.value)$/, "secret"],
  [/^(?:webhook|channels\[\]<webhook>)\.headers\[\]\.key$/, "header"],
  [/^webhook\.metadata\.\*$/, "shown"],
  [/^notification\.email\.recipients\[\]$/, "checked"],
  [/^channels\[\]<\w+>\.id$/, "shown"],
  [/^channels\[\]<\w+>\.quietHours\.(?:from|to)$/, "checked"],
  [/^channels\[\]<email>\.to\[\]$/, "checked"],
  [/^channels\[\]<\w+>\.url$/, "address"],
  [/^channels\[\]<\w+>\.(?:token|user|urls)$/, "secret"],
  [/^channels\[\]<telegram>\.chatId$/, "shown"],
  [/^channels\[\]<matrix>\.roomId$/, "shown"],
  [/^channels\[\]<apprise>\.tag$/, "shown"],
  [/^detection\.(?:ignore|watch)\[\]$/, "shown"],
  [/^when\.conditions\[\]<\w+>\.(?:text|field|near|value)$/, "shown"],
];

type JsonSchema = {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
};

/** Paths of all texts, such as `channels[]<slack>.url`; `*` is any name. */
export function listFields(): string[] {
  const schema = z.toJSONSchema(monitorRequestSchema, {
    io: "input",
    unrepresentable: "any",
  }) as JsonSchema;
  const found = new Set<string>();
  const labelOf = ({ properties }: JsonSchema): string => {
    const type = properties?.["type"];
    const label = type?.const ?? type?.enum?.[0];
    return typeof label === "string" ? `<${label}>` : "";
  };
  const visit = (node: JsonSchema, at: string): void => {
    if (/(?:scrapeOptions|crawlOptions)$/.test(at)) return void found.add(at);
    if (node.$ref !== undefined) {
      const target = schema.$defs?.[node.$ref.replace("#/$defs/", "")];
      if (target !== undefined) visit(target, at);
      return;
    }
    const parts = [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])];
    for (const part of parts) visit(part, `${at}${labelOf(part)}`);
    for (const [name, part] of Object.entries(node.properties ?? {}))
      visit(part, at === "" ? name : `${at}.${name}`);
    if (node.items !== undefined) visit(node.items, `${at}[]`);
    if (typeof node.additionalProperties === "object") visit(node.additionalProperties, `${at}.*`);
    const isValue = node.const !== undefined || node.enum !== undefined;
    const isAny =
      node.type === undefined && parts.length === 0 && node.properties === undefined && !isValue;
    if ((node.type === "string" || isAny) && !isValue) found.add(at);
  };
  visit(schema, "");
  return [...found];
}

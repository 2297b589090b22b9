// Names of the secrets that the request of a job is returned without. Pure.

const NAMES: Readonly<Record<string, string>> = {
  "webhook.secret": "the webhook’s secret",
  "webhook.url": "the webhook’s URL",
  "webhook.metadata": "the webhook’s metadata",
  "urls.login": "user names and passwords in the URLs",
};
const HEADER = /^((?:scrapeOptions\.|webhook\.)?headers)\.(.+)$/;
const ACTION = /^(?:scrapeOptions\.)?actions(?:\.(\d+)|\[(\d+)\])\.(text|script)$/;

/** Steps are numbered as in the form. */
function nameAction(path: string): string | undefined {
  const [, index, bracketed, field] = ACTION.exec(path) ?? [];
  return field === undefined
    ? undefined
    : `the ${field} of step ${Number(index ?? bracketed) + 1} of the actions`;
}

const join = (parts: Iterable<string>): string => new Intl.ListFormat("en").format(parts);

/** Lists the secrets in words: "the header Cookie in headers and the webhook’s secret". */
export function listOmitted(paths: readonly string[]): string {
  const headers = new Map<string, string[]>();
  const others: string[] = [];
  for (const path of paths) {
    const [, field, name] = HEADER.exec(path) ?? [];
    if (field === undefined || name === undefined)
      others.push(NAMES[path] ?? nameAction(path) ?? path);
    else headers.set(field, [...(headers.get(field) ?? []), name]);
  }
  const named = [...headers].map(
    ([field, names]) =>
      `the ${names.length === 1 ? "header" : "headers"} ${join(names)} in ${field}`,
  );
  return join([...named, ...others]);
}

// Secrets that a stored request is returned without, in words. Pure.

const NAMES: Readonly<Record<string, string>> = {
  "webhook.secret": "the webhook’s secret",
  "webhook.url": "the webhook’s URL",
  "url.login": "the user name and password in the URL",
  "urls.login": "user names and passwords in the URLs",
};
/** Fields whose secrets have names: what one is called, and several. */
const NAMED: Readonly<Record<string, readonly [one: string, several: string]>> = {
  headers: ["the header", "the headers"],
  metadata: ["the value", "the values"],
};
const NAMED_PATH = /^((?:scrapeOptions\.|webhook\.)?(headers|metadata))\.(.+)$/;
const STEP_PATH = /^(?:scrapeOptions\.)?actions\.(\d+)\.(text|script)$/;

const join = (parts: Iterable<string>): string => new Intl.ListFormat("en").format(parts);

/** Lists the secrets in words: "the header Cookie in headers and the webhook’s secret". */
export function listOmitted(paths: readonly string[]): string {
  const named = new Map<string, { readonly noun: string; readonly names: string[] }>();
  const others: string[] = [];
  for (const path of paths) {
    const [, field, noun, name] = NAMED_PATH.exec(path) ?? [];
    if (field === undefined || noun === undefined || name === undefined)
      others.push(NAMES[path] ?? describeStep(path) ?? path);
    else named.set(field, { noun, names: [...(named.get(field)?.names ?? []), name] });
  }
  const fields = [...named].map(([field, { noun, names }]) => {
    const [one, several] = NAMED[noun] ?? [noun, noun];
    return `${names.length === 1 ? one : several} ${join(names)} in ${field}`;
  });
  return join([...fields, ...others]);
}

/** Steps are numbered as in the form. */
function describeStep(path: string): string | undefined {
  const [, at, name] = STEP_PATH.exec(path) ?? [];
  return name === undefined ? undefined : `the ${name} of step ${Number(at) + 1} of the actions`;
}

import type { Action } from "../contract/page/actions.ts";

type WithActions = { readonly actions?: readonly Action[] | undefined };

export type ShownOptions = {
  readonly options: Readonly<Record<string, unknown>>;
  /** Paths of what is left out, such as `actions.1.text`. */
  readonly omitted: readonly string[];
};

/** Leaves out typed text and scripts of actions: both may hold passwords. */
export function omitActionSecrets({ actions, ...options }: WithActions & object): ShownOptions {
  if (actions === undefined) return { options: { ...options }, omitted: [] };
  const omitted: string[] = [];
  const shown = actions.map((action, at): object => {
    const name = findSecretField(action);
    if (name === undefined) return action;
    omitted.push(`actions.${at}.${name}`);
    return Object.fromEntries(Object.entries(action).filter(([field]) => field !== name));
  });
  return { options: { ...options, actions: shown }, omitted };
}

function findSecretField({ type }: Action): "text" | "script" | undefined {
  if (type === "write") return "text";
  return type === "executeJavascript" ? "script" : undefined;
}

// Session of the signed-in user. The server writes it into the document; sign-in and sign-out
// change it.
import { computed, signal } from "@preact/signals";
import type { Scope } from "../../../contract/account/scopes.ts";
import type { SessionView } from "../../session-view.ts";

const SIGNED_OUT: SessionView = {
  mode: "signed-out",
  csrfToken: null,
  keyName: null,
  scopes: [],
  expiresAt: null,
  version: "",
  jobPaths: {},
  pageKinds: [],
};

function readDocument(): SessionView {
  const content = document.querySelector<HTMLMetaElement>('meta[name="session"]')?.content;
  return content === undefined ? SIGNED_OUT : (JSON.parse(content) as SessionView);
}

export const session = signal<SessionView>(readDocument());
/** The session ended while the page was open; the screen keeps its content. */
export const hasExpired = signal(false);
export const isSignedIn = computed(() => session.value.mode !== "signed-out");

export const hasScope = (scope: Scope): boolean => session.value.scopes.includes(scope);

type Answer = { readonly success: boolean; readonly data?: SessionView; readonly error?: string };

async function ask(method: string, body?: object): Promise<SessionView> {
  const token = session.value.csrfToken;
  const response = await fetch("/console/session", {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(token === null ? {} : { "x-csrf-token": token }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Answer;
  if (answer.data === undefined)
    throw new Error(answer.error ?? `The server answered ${response.status}.`);
  return answer.data;
}

/**
 * Asks for the session again if the document has none: browsers send no cookie with a document that
 * a link of another site opens.
 */
export async function resumeSession(): Promise<void> {
  if (isSignedIn.value) return;
  const found = await ask("GET").catch(() => undefined);
  if (found !== undefined) session.value = found;
}

/** Throws with the server's message when the key or the link is not accepted. */
export async function signIn(
  given: { readonly key: string } | { readonly link: string },
): Promise<void> {
  session.value = await ask("POST", given);
  hasExpired.value = false;
}

export async function signOut(): Promise<void> {
  await ask("DELETE").catch(() => undefined);
  const { version, jobPaths, pageKinds } = session.value;
  session.value = { ...SIGNED_OUT, version, jobPaths, pageKinds };
  hasExpired.value = false;
}

/** Detects that the session has ended after a failure that does not report it. */
export async function checkSession(): Promise<void> {
  if (session.value.mode !== "signed-in") return;
  const found = await ask("GET").catch(() => undefined);
  if (found?.mode === "signed-out") hasExpired.value = true;
}

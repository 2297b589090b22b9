// Sign-in with a key, or with the one-time link that the server printed. The browser stores only
// the cookie.
import { useEffect, useState } from "preact/hooks";
import type { VNode } from "preact";
import { session, signIn } from "../data/session.ts";
import { button } from "../ui/button.ts";
import { create, dom } from "../ui/dom.ts";
import { Field, textInput } from "../ui/fields.ts";
import { logo } from "../ui/logo.ts";

const LINK = /^#sign-in=([\w-]{1,200})$/;

/** Removed from the address at once, so that no bookmark contains it. */
function takeLink(): string | undefined {
  const token = LINK.exec(location.hash)?.[1];
  if (token !== undefined)
    history.replaceState(history.state, "", location.pathname + location.search);
  return token;
}

export function SignIn({ hasExpired = false }: { readonly hasExpired?: boolean }): VNode {
  const [key, setKey] = useState("");
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const exchange = (given: { readonly key: string } | { readonly link: string }): void => {
    setBusy(true);
    setFault(undefined);
    signIn(given).catch((error: unknown) => {
      setFault(error instanceof Error ? error.message : String(error));
      setBusy(false);
    });
  };
  useEffect(() => {
    const exchangeLink = (): void => {
      const link = takeLink();
      if (link !== undefined) exchange({ link });
    };
    exchangeLink();
    // A link pasted into a tab with this form changes only the fragment and loads no page.
    addEventListener("hashchange", exchangeLink);
    return () => removeEventListener("hashchange", exchangeLink);
  }, []);

  return dom.main(
    { class: "sign-in" },
    dom.div(
      { class: "sign-in-card" },
      dom.div(
        { class: "row" },
        logo(28),
        dom.h1(null, hasExpired ? "Sign in again" : "Sign in to Quarry"),
      ),
      dom.form(
        {
          onSubmit: (event) => {
            event.preventDefault();
            if (key.trim() !== "") exchange({ key });
          },
        },
        create(Field, {
          label: "API key",
          fault,
          help: hasExpired
            ? "Your session has ended. Your work is still here."
            : "It stays on the server; the browser keeps a session cookie.",
          control: (ties) =>
            textInput({
              ...ties,
              value: key,
              onInput: setKey,
              type: "password",
              placeholder: "qy-…",
              mono: true,
            }),
        }),
        button({
          label: isBusy ? "Signing in …" : "Sign in",
          kind: "primary",
          type: "submit",
          disabled: isBusy || key.trim() === "",
        }),
      ),
      dom.div(
        { class: "stack small soft" },
        dom.p(
          null,
          "The first key is in the file ",
          dom.code(null, "key"),
          " of the server’s data folder.",
        ),
        dom.p(
          null,
          "To manage keys and see the server’s checks, open the link that the server prints when it starts, or a new one from ",
          dom.code(null, "npx quarry console"),
          ".",
        ),
        session.value.version !== "" &&
          dom.p(
            { class: "tiny faint" },
            `Quarry ${session.value.version} · `,
            dom.a({ href: "/docs" }, "Guides"),
            " · ",
            dom.a({ href: "/docs/api" }, "API reference"),
          ),
      ),
    ),
  );
}

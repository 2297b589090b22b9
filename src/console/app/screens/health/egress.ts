import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { call } from "../../data/api.ts";
import { button } from "../../ui/button.ts";
import { create, dom } from "../../ui/dom.ts";
import { errorBox } from "../../ui/feedback.ts";
import { Field, textInput } from "../../ui/fields.ts";
import { badge } from "../../ui/status.ts";

type Explanation = {
  readonly host: string;
  readonly port: number;
  readonly allowed: boolean;
  readonly reason: string;
  readonly addresses: readonly {
    readonly address: string;
    readonly allowed: boolean;
    readonly addressClass?: string;
    readonly reason: string;
  }[];
};

const verdict = (allowed: boolean): VNode =>
  allowed ? badge("may be reached", "green", "check") : badge("refused", "red", "cross");

/** Checks whether this server may reach a host, and why. Names are resolved without connecting. */
export function Egress(): VNode {
  const [host, setHost] = useState("");
  const [answer, setAnswer] = useState<Explanation>();
  const [fault, setFault] = useState<Error>();
  const ask = (): void => {
    setFault(undefined);
    call<{ data: Explanation }>("GET", "/admin/egress", { query: { host: host.trim() } }).then(
      ({ data }) => setAnswer(data),
      (error: unknown) => setFault(error instanceof Error ? error : new Error(String(error))),
    );
  };
  return dom.div(
    { class: "stack gap-l" },
    dom.form(
      {
        class: "narrow-form stack",
        onSubmit: (event) => {
          event.preventDefault();
          if (host.trim() !== "") ask();
        },
      },
      create(Field, {
        label: "May this server reach",
        help: "A host, or host:port. The name is resolved, but no connection is made.",
        control: (ties) =>
          textInput({
            ...ties,
            value: host,
            onInput: setHost,
            placeholder: "example.com or 10.0.0.1:8080",
            mono: true,
          }),
      }),
      dom.div(
        null,
        button({ label: "Test", kind: "primary", type: "submit", disabled: host.trim() === "" }),
      ),
    ),
    fault !== undefined && errorBox(fault),
    answer !== undefined &&
      dom.section(
        { class: "panel" },
        dom.div(
          { class: "panel-head" },
          dom.h2({ class: "mono" }, `${answer.host}:${answer.port}`),
          verdict(answer.allowed),
        ),
        dom.div(
          { class: "panel-body stack" },
          dom.p({ class: "break" }, answer.reason),
          ...answer.addresses.map((one) =>
            dom.div(
              { key: one.address, class: "row wrap small" },
              dom.code(null, one.address),
              verdict(one.allowed),
              one.addressClass !== undefined && dom.span({ class: "faint" }, one.addressClass),
            ),
          ),
        ),
      ),
  );
}

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { call } from "../../data/api.ts";
import { formatNumber } from "../../data/format.ts";
import { setQuery } from "../../router.ts";
import { button } from "../../ui/button.ts";
import { dialog } from "../../ui/dialog.ts";
import { create, dom } from "../../ui/dom.ts";
import { errorBox, skeleton } from "../../ui/feedback.ts";
import { Field, textInput } from "../../ui/fields.ts";
import { icon } from "../../ui/icons.ts";
import { menu } from "../../ui/menu.ts";
import { statusBadge } from "../../ui/status.ts";
import { reportError, toast } from "../../ui/toast.ts";
import type { LoadHandle } from "../../ui/use-load.ts";
import { time } from "../../ui/values.ts";
import { EditLimits } from "./edit-limits.ts";
import type { AccountView } from "./key-views.ts";
import { limitFields, toLimit, type LimitTexts } from "./limit-fields.ts";

type OpenDialog =
  | { readonly what: "create" }
  | { readonly what: "limits" | "disable"; readonly account: AccountView };

function CreateAccount({
  onClose,
  onDone,
}: {
  readonly onClose: () => void;
  readonly onDone: () => void;
}): VNode {
  const [name, setName] = useState("");
  const [limits, setLimits] = useState<LimitTexts>({});
  const [fault, setFault] = useState<Error>();
  const make = (): void => {
    const given = Object.entries(limits).flatMap(([field, text]) =>
      text === "" ? [] : [[field, toLimit(text)] as const],
    );
    call("POST", "/admin/accounts", {
      body: { name: name.trim(), ...Object.fromEntries(given) },
    }).then(onDone, (error: unknown) =>
      setFault(error instanceof Error ? error : new Error(String(error))),
    );
  };
  return dialog({
    title: "New account",
    onClose,
    body: [
      fault !== undefined && errorBox(fault),
      create(Field, {
        label: "Name",
        help: "Its jobs, cache, history and credits are its own.",
        control: (ties) =>
          textInput({ ...ties, value: name, onInput: setName, placeholder: "research" }),
      }),
      limitFields(limits, setLimits, true),
    ],
    foot: [
      button({ label: "Cancel", onClick: onClose }),
      button({
        label: "Create the account",
        kind: "primary",
        disabled: name.trim() === "",
        onClick: make,
      }),
    ],
  });
}

const limit = (value: number | null | undefined): VNode =>
  value === null || value === undefined
    ? dom.span({ class: "faint" }, "no limit")
    : dom.span({ class: "num" }, formatNumber(value));

export function AccountList({
  accounts,
}: {
  readonly accounts: LoadHandle<readonly AccountView[]>;
}): VNode {
  const [asking, setAsking] = useState<OpenDialog>();
  const close = (): void => setAsking(undefined);
  const done = (): void => {
    close();
    accounts.reload();
  };
  const setDisabled = (account: AccountView, isDisabled: boolean): void => {
    call("POST", `/admin/accounts/${account.id}/${isDisabled ? "disable" : "enable"}`, {
      body: {},
    }).then(
      () => {
        toast(
          isDisabled
            ? `The keys of “${account.name}” are refused and its jobs are stopped.`
            : `The keys of “${account.name}” are accepted again.`,
        );
        done();
      },
      (error: unknown) => {
        close();
        reportError(error);
      },
    );
  };
  return dom.div(
    { class: "stack" },
    dom.div(
      { class: "row wrap spread" },
      dom.span({ class: "small soft" }, "An account owns keys, jobs, its cache and its credits."),
      button({
        label: "New account",
        kind: "primary",
        icon: "plus",
        onClick: () => setAsking({ what: "create" }),
      }),
    ),
    accounts.value === undefined
      ? skeleton(3)
      : dom.div(
          { class: "panel keys-table" },
          dom.table(
            { class: "table" },
            dom.caption({ class: "visually-hidden" }, "Accounts"),
            dom.thead(
              null,
              dom.tr(
                null,
                ...[
                  "Account",
                  "State",
                  "Credits",
                  "Rate",
                  "At once",
                  "Index pages",
                  "Created",
                  "",
                ].map((name, at) =>
                  dom.th(
                    { key: name, scope: "col", class: at > 1 && at < 6 ? "end hide-narrow" : "" },
                    name === "" ? dom.span({ class: "visually-hidden" }, "Actions") : name,
                  ),
                ),
              ),
            ),
            dom.tbody(
              null,
              ...accounts.value.map((account) =>
                dom.tr(
                  { key: account.id },
                  dom.td(
                    null,
                    dom.button(
                      {
                        type: "button",
                        class: "cell-button",
                        onClick: () => setQuery({ tab: "keys", account: account.name }),
                      },
                      account.name,
                    ),
                  ),
                  dom.td(null, statusBadge(account.disabledAt === null ? "valid" : "disabled")),
                  ...[
                    account.limits.creditBudget,
                    account.limits.requestsPerMinute,
                    account.limits.concurrency,
                    account.limits.indexPages,
                  ].map((value, at) => dom.td({ key: at, class: "end hide-narrow" }, limit(value))),
                  dom.td({ class: "faint" }, time(account.createdAt)),
                  dom.td(
                    { class: "end" },
                    menu({
                      label: `Actions of ${account.name}`,
                      class: "quiet small",
                      button: icon("down", { size: 14 }),
                      items: (closeMenu) => [
                        dom.button(
                          {
                            type: "button",
                            onClick: () => {
                              closeMenu();
                              setAsking({ what: "limits", account });
                            },
                          },
                          icon("health"),
                          "Change limits",
                        ),
                        account.disabledAt === null
                          ? dom.button(
                              {
                                type: "button",
                                onClick: () => {
                                  closeMenu();
                                  setAsking({ what: "disable", account });
                                },
                              },
                              icon("stop"),
                              "Disable",
                            )
                          : dom.button(
                              {
                                type: "button",
                                onClick: () => {
                                  closeMenu();
                                  setDisabled(account, false);
                                },
                              },
                              icon("check"),
                              "Enable",
                            ),
                      ],
                    }),
                  ),
                ),
              ),
            ),
          ),
        ),
    asking?.what === "create" && create(CreateAccount, { onClose: close, onDone: done }),
    asking?.what === "limits" &&
      create(EditLimits, {
        title: `Limits of “${asking.account.name}”`,
        path: `/admin/accounts/${asking.account.id}`,
        limits: asking.account.limits,
        isAccount: true,
        onClose: close,
        onDone: done,
      }),
    asking?.what === "disable" &&
      dialog({
        title: `Disable “${asking.account.name}”?`,
        onClose: close,
        body: "All its keys are refused and its running jobs are stopped, until it is enabled again.",
        foot: [
          button({ label: "Leave it", onClick: close }),
          button({
            label: "Disable the account",
            kind: "danger-fill",
            onClick: () => setDisabled(asking.account, true),
          }),
        ],
      }),
  );
}

// Accounts and their keys: scopes, limits and expiry.
import { screenHead } from "../../ui/screen-head.ts";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { call } from "../../data/api.ts";
import { formatNumber } from "../../data/format.ts";
import { place, setQuery } from "../../router.ts";
import { button } from "../../ui/button.ts";
import { dialog } from "../../ui/dialog.ts";
import { classes, create, dom } from "../../ui/dom.ts";
import { empty, errorBox, skeleton } from "../../ui/feedback.ts";
import { icon } from "../../ui/icons.ts";
import { menu } from "../../ui/menu.ts";
import { badge, statusBadge } from "../../ui/status.ts";
import { tabPanel, tabs } from "../../ui/tabs.ts";
import { reportError, toast } from "../../ui/toast.ts";
import { useLoad, type LoadHandle } from "../../ui/use-load.ts";
import { time } from "../../ui/values.ts";
import { AccountList } from "./accounts.ts";
import { CreateKey, KeyShown } from "./create-key.ts";
import { EditLimits } from "./edit-limits.ts";
import type { AccountView, KeyView, NewKeyView } from "./key-views.ts";
import { RotateKey } from "./rotate-key.ts";

type OpenDialog =
  | { readonly what: "create" }
  | { readonly what: "revoke" | "rotate" | "limits"; readonly key: KeyView }
  | { readonly what: "shown"; readonly key: NewKeyView };

const stateOf = ({ revokedAt, expiresAt }: KeyView): string =>
  revokedAt !== null
    ? "revoked"
    : expiresAt !== null && expiresAt <= Date.now()
      ? "expired"
      : "valid";

const limit = (value: number | null, unit: string): VNode =>
  value === null
    ? dom.span({ class: "faint" }, "no limit")
    : dom.span({ class: "num" }, `${formatNumber(value)}${unit}`);

function keyRow(key: KeyView, ask: (asking: OpenDialog) => void): VNode {
  const state = stateOf(key);
  const { limits } = key;
  return dom.tr(
    { key: key.id, class: classes(state !== "valid" && "past") },
    dom.td(
      { class: "break" },
      dom.strong({ class: "weight-m", dir: "auto" }, key.name),
      dom.div({ class: "mono tiny faint nowrap" }, `${key.prefix}…`),
    ),
    dom.td(null, statusBadge(state)),
    dom.td(
      null,
      dom.div(
        { class: "chips" },
        ...key.scopes.map((scope) =>
          badge(scope, scope === "admin" ? "violet" : "gray", scope === "admin" ? "key" : "check"),
        ),
      ),
    ),
    dom.td(
      { class: "hide-narrow" },
      key.allowHosts === null
        ? dom.span({ class: "faint" }, "any")
        : dom.span({ class: "mono tiny break" }, key.allowHosts.join(", ")),
    ),
    dom.td({ class: "end hide-narrow" }, limit(limits.creditBudget, "")),
    dom.td({ class: "end hide-narrow" }, limit(limits.requestsPerMinute, "/min")),
    dom.td({ class: "end hide-narrow" }, limit(limits.concurrency, "")),
    dom.td(
      { class: "faint nowrap hide-narrow" },
      key.lastUsedAt === null ? "never" : time(key.lastUsedAt),
    ),
    dom.td({ class: "faint hide-narrow" }, key.expiresAt === null ? "never" : time(key.expiresAt)),
    dom.td(
      { class: "end" },
      state !== "revoked" &&
        menu({
          label: `Actions of ${key.name}`,
          class: "quiet small",
          button: icon("down", { size: 14 }),
          items: (close) =>
            (
              [
                ["limits", "health", "Change limits"],
                ["rotate", "again", "Rotate"],
                ["revoke", "trash", "Revoke"],
              ] as const
            ).map(([what, symbol, label]) =>
              dom.button(
                {
                  key: what,
                  type: "button",
                  onClick: () => {
                    close();
                    ask({ what, key });
                  },
                },
                icon(symbol),
                label,
              ),
            ),
        }),
    ),
  );
}

const COLUMNS: readonly (readonly [string, string])[] = [
  ["Key", ""],
  ["State", ""],
  ["Scopes", ""],
  ["Hosts", "hide-narrow"],
  ["Credits", "end hide-narrow"],
  ["Rate", "end hide-narrow"],
  ["At once", "end hide-narrow"],
  ["Last used", "hide-narrow"],
  ["Expires", "hide-narrow"],
  ["Actions", "end"],
];

function keyTable(keys: readonly KeyView[], ask: (asking: OpenDialog) => void): VNode {
  const order = (one: KeyView, other: KeyView): number =>
    Number(stateOf(one) !== "valid") - Number(stateOf(other) !== "valid") ||
    other.createdAt - one.createdAt;
  return dom.div(
    { class: "panel keys-table" },
    dom.table(
      { class: "table" },
      dom.caption({ class: "visually-hidden" }, "Keys"),
      dom.thead(
        null,
        dom.tr(
          null,
          ...COLUMNS.map(([name, more]) =>
            dom.th(
              { key: name, scope: "col", class: more },
              name === "Actions" ? dom.span({ class: "visually-hidden" }, name) : name,
            ),
          ),
        ),
      ),
      dom.tbody(null, ...keys.toSorted(order).map((key) => keyRow(key, ask))),
    ),
  );
}

type RevokeProps = {
  readonly revoked: KeyView;
  readonly onClose: () => void;
  readonly onDone: () => void;
};

function RevokeKey({ revoked, onClose, onDone }: RevokeProps): VNode {
  const run = (): void => {
    call("DELETE", `/admin/keys/${revoked.id}`).then(
      () => {
        toast(`The key “${revoked.name}” is revoked.`);
        onDone();
      },
      (error: unknown) => {
        onClose();
        reportError(error);
      },
    );
  };
  return dialog({
    title: `Revoke “${revoked.name}”?`,
    onClose,
    body: "Programs that use it are refused at once, its running jobs are stopped, and its sessions in the console end. This cannot be undone.",
    foot: [
      button({ label: "Leave it", onClick: onClose }),
      button({ label: "Revoke the key", kind: "danger-fill", onClick: run }),
    ],
  });
}

function KeyList({
  account,
  keys,
  accounts,
}: {
  readonly account: string;
  readonly keys: LoadHandle<readonly KeyView[] | undefined>;
  readonly accounts: readonly AccountView[];
}): VNode {
  const [asking, setAsking] = useState<OpenDialog | undefined>(
    place.value.query.get("new") === "1" ? { what: "create" } : undefined,
  );
  const close = (): void => setAsking(undefined);
  const done = (made?: NewKeyView): void => {
    setAsking(made === undefined ? undefined : { what: "shown", key: made });
    keys.reload();
  };
  return dom.div(
    { class: "stack" },
    dom.div(
      { class: "row wrap spread" },
      accounts.length > 1
        ? dom.label(
            { class: "row small" },
            "Account",
            dom.select(
              {
                class: "select account-select",
                value: account,
                onChange: (event) => setQuery({ account: event.currentTarget.value }),
              },
              ...accounts.map(({ id, name }) =>
                dom.option({ key: id, value: name, selected: name === account }, name),
              ),
            ),
          )
        : dom.span({ class: "small soft" }, "A key is shown only once, when it is created."),
      button({
        label: "New key",
        kind: "primary",
        icon: "plus",
        onClick: () => setAsking({ what: "create" }),
      }),
    ),
    keys.state === "failed" && errorBox(keys.error, keys.reload),
    keys.value === undefined
      ? keys.state !== "failed" && dom.div({ class: "panel panel-body" }, skeleton(5))
      : keys.value.length === 0
        ? empty({
            icon: "key",
            title: "This account has no keys",
            text: "Programs send a key with every request. Give each program its own, so that one can be revoked alone.",
            action: button({
              label: "Create the first key",
              kind: "primary",
              onClick: () => setAsking({ what: "create" }),
            }),
          })
        : keyTable(keys.value, setAsking),
    asking?.what === "create" && create(CreateKey, { account, onClose: close, onMade: done }),
    asking?.what === "shown" && create(KeyShown, { made: asking.key, onClose: close }),
    asking?.what === "limits" &&
      create(EditLimits, {
        title: `Limits of “${asking.key.name}”`,
        path: `/admin/keys/${asking.key.id}`,
        limits: asking.key.limits,
        onClose: close,
        onDone: () => done(),
      }),
    asking?.what === "revoke" &&
      create(RevokeKey, { revoked: asking.key, onClose: close, onDone: () => done() }),
    asking?.what === "rotate" &&
      create(RotateKey, { rotated: asking.key, onClose: close, onDone: done }),
  );
}

export function Keys(): VNode {
  const { query } = place.value;
  const tab = query.get("tab") ?? "keys";
  const accounts = useLoad(
    async (signal) =>
      (await call<{ data: readonly AccountView[] }>("GET", "/admin/accounts", { signal })).data,
    [],
  );
  const account = query.get("account") ?? accounts.value?.[0]?.name ?? "";
  const keys = useLoad(
    async (signal) =>
      account === ""
        ? undefined
        : (
            await call<{ data: readonly KeyView[] }>("GET", "/admin/keys", {
              query: { account },
              signal,
            })
          ).data,
    [account],
  );
  return dom.div(
    { class: "stack gap-l" },
    screenHead({
      title: "Keys and accounts",
      text: "Who can call this server, with which scopes and limits.",
    }),
    accounts.state === "failed" && errorBox(accounts.error, accounts.reload),
    dom.div(
      { class: "stack" },
      tabs({
        label: "Keys and accounts",
        tabs: [
          {
            id: "keys",
            label: "Keys",
            count: keys.value?.filter((key) => stateOf(key) === "valid").length,
          },
          { id: "accounts", label: "Accounts", count: accounts.value?.length },
        ],
        current: tab,
        onChange: (id) => setQuery({ tab: id }),
      }),
      tabPanel(
        tab,
        tab === "accounts"
          ? create(AccountList, { accounts })
          : account === "" && accounts.state === "loading"
            ? skeleton(5)
            : create(KeyList, { key: account, account, keys, accounts: accounts.value ?? [] }),
      ),
    ),
  );
}

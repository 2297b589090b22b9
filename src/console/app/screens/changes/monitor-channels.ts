// The channels of a monitor: add, limit, test and remove. Their addresses are never returned, so
// those that stay are sent back by their ids.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Monitor } from "../../../../contract/jobs/monitor-report.ts";
import { call } from "../../data/api.ts";
import { button } from "../../ui/button.ts";
import { dialog } from "../../ui/dialog.ts";
import { create, dom } from "../../ui/dom.ts";
import { empty, errorBox } from "../../ui/feedback.ts";
import { Field, select, textInput } from "../../ui/fields.ts";
import { badge } from "../../ui/status.ts";
import { reportError, toast } from "../../ui/toast.ts";
import { ChannelFields } from "./channel-fields.ts";
import {
  CHANNEL_TYPES,
  isComplete,
  toChannel,
  type ChannelType,
  type ChannelValues,
} from "./channel-types.ts";

type Channel = NonNullable<Monitor["channels"]>[number];

const keep = ({ id }: Channel): object => ({ type: "keep", id });

const readText = (channel: Channel, name: string): string => {
  const value: unknown = channel[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
};

/** Host of the address, or the recipients. */
function describePlace(channel: Channel): string {
  const to: unknown = channel["to"];
  return Array.isArray(to) ? to.join(", ") : readText(channel, "host") || channel.id;
}

function describeLimits(channel: Channel): string {
  const events: unknown = channel["events"];
  const digest = readText(channel, "digestMinutes");
  return [
    Array.isArray(events) && events.length < 3 ? `only ${events.join(", ")}` : "",
    digest === "" ? "" : `together every ${digest} min`,
    `at most ${readText(channel, "maxPerHour")} an hour`,
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

type Edit = { readonly channel?: Channel };

function ChannelForm(props: {
  readonly edit: Edit;
  readonly onSave: (entry: object) => Promise<void>;
  readonly onClose: () => void;
}): VNode {
  const { channel } = props.edit;
  const [type, setType] = useState<ChannelType>("webhook");
  const [values, setValues] = useState<ChannelValues>({});
  const [digest, setDigest] = useState(
    channel === undefined ? "" : readText(channel, "digestMinutes"),
  );
  const [limit, setLimit] = useState(
    channel === undefined ? "60" : readText(channel, "maxPerHour"),
  );
  const [fault, setFault] = useState<Error>();
  const save = (): void => {
    const digestMinutes = digest.trim() === "" ? null : Number(digest);
    const maxPerHour = limit.trim() === "" ? 60 : Number(limit);
    const entry =
      channel === undefined
        ? {
            ...toChannel(type, values),
            maxPerHour,
            ...(digestMinutes === null ? {} : { digestMinutes }),
          }
        : { ...keep(channel), maxPerHour, digestMinutes };
    props
      .onSave(entry)
      .then(props.onClose, (error: unknown) =>
        setFault(error instanceof Error ? error : new Error(String(error))),
      );
  };
  return dialog({
    title: channel === undefined ? "Add a channel" : `Channel ${describePlace(channel)}`,
    onClose: props.onClose,
    body: dom.form(
      {
        class: "stack",
        onSubmit: (event) => {
          event.preventDefault();
          save();
        },
      },
      channel === undefined && [
        create(Field, {
          key: "type",
          label: "Service",
          control: (ties) =>
            select({
              ...ties,
              value: type,
              options: toOptions(),
              onChange: (next) => setType(next as ChannelType),
            }),
        }),
        create(ChannelFields, { key: "fields", type, values, onChange: setValues }),
      ],
      create(Field, {
        label: "Collect for minutes",
        help: "5 to 10,080; empty sends each change at once.",
        control: (ties) =>
          textInput({ ...ties, type: "number", value: digest, onInput: setDigest }),
      }),
      create(Field, {
        label: "At most per hour",
        help: "Further ones are sent together in the next hour.",
        control: (ties) => textInput({ ...ties, type: "number", value: limit, onInput: setLimit }),
      }),
      fault !== undefined && errorBox(fault),
    ),
    foot: [
      button({ label: "Cancel", onClick: props.onClose }),
      button({
        label: channel === undefined ? "Add" : "Save",
        kind: "primary",
        disabled: channel === undefined && !isComplete(type, values),
        onClick: save,
      }),
    ],
  });
}

const toOptions = () => CHANNEL_TYPES.map(([value, label]) => ({ value, label }));

export function MonitorChannels(props: {
  readonly monitor: Monitor;
  readonly onChanged: () => void;
}): VNode {
  const { monitor, onChanged } = props;
  const [results, setResults] = useState<Readonly<Record<string, string>>>({});
  const [edit, setEdit] = useState<Edit>();
  const channels = monitor.channels ?? [];
  const path = `/v2/monitor/${monitor.id}`;
  const test = (channel: string): void => {
    setResults({ ...results, [channel]: "sending …" });
    call<{ data: readonly { channel: string; delivered: boolean; error?: string | null }[] }>(
      "POST",
      `${path}/test`,
      { body: { channel } },
    ).then(({ data }) => {
      const [result] = data;
      const words = result?.delivered === true ? "delivered" : (result?.error ?? "failed");
      setResults((before) => ({ ...before, [channel]: words }));
    }, reportError);
  };
  const change = async (list: readonly object[], done: string): Promise<void> => {
    await call("PATCH", path, { body: { channels: list } });
    toast(done);
    onChanged();
  };
  const remove = (id: string): void => {
    const left = channels.filter((channel) => channel.id !== id).map(keep);
    change(left, "The channel is removed.").catch(reportError);
  };
  const row = (channel: Channel): VNode =>
    dom.li(
      { key: channel.id, class: "row wrap channel" },
      badge(channel.type, "gray", "link"),
      dom.span(
        { class: "grow" },
        dom.span({ class: "truncate", dir: "auto" }, describePlace(channel)),
        // Channels of one host are told apart by the ids that people gave them.
        describePlace(channel) !== channel.id &&
          dom.code({ class: "tiny soft", dir: "auto" }, ` ${channel.id}`),
        dom.span({ class: "small faint" }, ` ${describeLimits(channel)}`),
      ),
      results[channel.id] !== undefined &&
        dom.span({ class: "small soft", role: "status" }, results[channel.id]),
      button({ label: "Send a test", small: true, onClick: () => test(channel.id) }),
      button({ label: "Edit", small: true, onClick: () => setEdit({ channel }) }),
      button({ label: "Remove", small: true, onClick: () => remove(channel.id) }),
    );
  const add = button({
    label: "Add a channel",
    ...(channels.length === 0 ? { kind: "primary" as const } : {}),
    onClick: () => setEdit({}),
  });
  return dom.div(
    { class: "stack" },
    channels.length === 0
      ? empty({
          icon: "link",
          title: "No channels",
          text: "Changes are kept here and in the feed.",
          action: add,
        })
      : [
          dom.ul({ key: "list", class: "panel link-list" }, ...channels.map(row)),
          dom.div({ key: "add" }, add),
        ],
    edit !== undefined &&
      create(ChannelForm, {
        edit,
        onClose: () => setEdit(undefined),
        onSave: (entry) =>
          change(
            edit.channel === undefined
              ? [...channels.map(keep), entry]
              : channels.map((channel) =>
                  channel.id === edit.channel?.id ? entry : keep(channel),
                ),
            "The channels are saved.",
          ),
      }),
  );
}

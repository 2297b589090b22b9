// Address ranges: the IANA special-purpose registries (RFC 6890 and updates) and the metadata
// addresses of clouds. The longest matching prefix decides; IPv6 outside 2000::/3 is reserved.

export type AddressClass =
  | "public"
  | "loopback"
  | "private"
  | "linkLocal"
  | "metadata"
  | "carrierGrade"
  | "multicast"
  | "broadcast"
  | "unspecified"
  | "documentation"
  | "reserved";

/** Name of a class in a sentence: "10.0.0.5 is a private address". */
export const ADDRESS_CLASS_TEXT: Record<AddressClass, string> = {
  public: "a public address",
  loopback: "a loopback address",
  private: "a private address",
  linkLocal: "a link-local address",
  metadata: "a cloud metadata address",
  carrierGrade: "a carrier-grade NAT address",
  multicast: "a multicast address",
  broadcast: "a broadcast address",
  unspecified: "an unspecified address",
  documentation: "a documentation address",
  reserved: "a reserved address",
};

/**
 * Embedded IPv4 address in an IPv6 range: its start byte, and whether its bits are flipped
 * (Teredo).
 */
export type Embedding = {
  readonly at: number;
  readonly flipped?: true;
  /** The class if the embedded IPv4 address is public. */
  readonly whenPublic: AddressClass;
};

export type RangeRow = readonly [cidr: string, meaning: AddressClass | Embedding];

export const IPV4_RANGES: readonly RangeRow[] = [
  ["0.0.0.0/0", "public"],
  ["0.0.0.0/8", "unspecified"],
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "carrierGrade"],
  ["100.100.100.200/32", "metadata"], // Alibaba Cloud
  ["127.0.0.0/8", "loopback"],
  ["168.63.129.16/32", "metadata"], // Azure wire server
  ["169.254.0.0/16", "linkLocal"],
  ["169.254.0.23/32", "metadata"], // Tencent Cloud
  ["169.254.10.10/32", "metadata"], // Tencent Cloud, newer
  ["169.254.42.42/32", "metadata"], // Scaleway
  ["169.254.169.254/32", "metadata"], // nearly every cloud
  ["169.254.170.2/32", "metadata"], // AWS ECS task credentials
  ["169.254.170.23/32", "metadata"], // AWS EKS pod identity
  ["172.16.0.0/12", "private"],
  ["192.0.0.0/24", "reserved"],
  ["192.0.0.192/32", "metadata"], // Oracle Cloud, older
  ["192.0.2.0/24", "documentation"],
  ["192.52.193.0/24", "reserved"],
  ["192.88.99.0/24", "reserved"],
  ["192.168.0.0/16", "private"],
  ["198.18.0.0/15", "reserved"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["224.0.0.0/4", "multicast"],
  ["240.0.0.0/4", "reserved"],
  ["255.255.255.255/32", "broadcast"],
];

export const IPV6_RANGES: readonly RangeRow[] = [
  ["::/0", "reserved"],
  ["::/96", { at: 12, whenPublic: "reserved" }], // IPv4-compatible, RFC 4291 section 2.5.5.1
  ["::/128", "unspecified"],
  ["::1/128", "loopback"],
  ["::ffff:0:0/96", { at: 12, whenPublic: "public" }], // IPv4-mapped
  ["::ffff:0:0:0/96", { at: 12, whenPublic: "reserved" }], // SIIT, RFC 2765
  ["64:ff9b::/96", { at: 12, whenPublic: "public" }], // NAT64, RFC 6052: lets an IPv6-only network reach IPv4
  ["64:ff9b:1::/48", { at: 12, whenPublic: "reserved" }], // NAT64 for local use, RFC 8215
  ["100::/64", "reserved"],
  ["2000::/3", "public"],
  ["2001::/23", "reserved"],
  ["2001::/32", { at: 12, flipped: true, whenPublic: "reserved" }], // Teredo, RFC 4380
  ["2001:db8::/32", "documentation"],
  ["2002::/16", { at: 2, whenPublic: "reserved" }], // 6to4, RFC 3056
  ["3ffe::/16", "reserved"],
  ["3fff::/20", "documentation"],
  ["5f00::/16", "reserved"],
  ["fc00::/7", "private"],
  ["fd00:42::42/128", "metadata"], // Scaleway
  ["fd00:c1::a9fe:a9fe/128", "metadata"], // Oracle Cloud
  ["fd00:ec2::23/128", "metadata"], // AWS EKS pod identity
  ["fd00:ec2::254/128", "metadata"], // AWS
  ["fd20:ce::254/128", "metadata"], // Google Cloud
  ["fe80::/10", "linkLocal"],
  ["fe80::a9fe:a9fe/128", "metadata"], // OpenStack
  ["fec0::/10", "private"], // site-local, deprecated
  ["ff00::/8", "multicast"],
];

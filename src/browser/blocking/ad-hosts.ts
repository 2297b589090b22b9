// Hosts that serve advertisements, trackers and consent-wall trackers, and no content. A short list
// of our own, by domain: the egress gate refuses the connection, so that requests need no
// interception.
const DOMAINS = `
2mdn.net 33across.com 3lift.com a-mo.net adcolony.com addthis.com adform.net adgrx.com adition.com adlightning.com admanmedia.com
admedo.com admixer.net adnxs-simple.com adnxs.com adobedtm.com adroll.com adsafeprotected.com adskeeper.com adsrvr.org adsterra.com
adswizz.com adsymptotic.com adtechus.com advertising.com adyoulike.com agkn.com amazon-adsystem.com amplitude.com aniview.com
appnexus.com appsflyer.com atdmt.com atwola.com bidr.io bidswitch.net bkrtx.com bluekai.com bounceexchange.com branch.io
brightmountainmedia.com btloader.com buysellads.com buysellads.net carbonads.com carbonads.net casalemedia.com chartbeat.com
chartbeat.net clarity.ms clicktale.net connatix.com connextra.com contextweb.com conviva.com cpx.to crazyegg.com creative-serving.com
criteo.com criteo.net crwdcntrl.net demdex.net disqusads.com districtm.io dotomi.com doubleclick.net doubleverify.com emxdgt.com
everesttech.net exoclick.com exponential.com eyeota.net fastclick.net fls.doubleclick.net flashtalking.com freewheel.tv fullstory.com
fwmrm.net getclicky.com go-mpulse.net google-analytics.com googleadservices.com googlesyndication.com googletagservices.com gumgum.com
heapanalytics.com hotjar.com hotjar.io imrworldwide.com indexww.com infolinks.com inmobi.com innovid.com intellitxt.com ipredictive.com
jivox.com justpremium.com kargo.com keywee.co kissmetrics.com krxd.net lijit.com liveintent.com liveramp.com loopme.me lotame.com
marfeelcache.com mathtag.com mc.yandex.ru media.net mediaplex.com mgid.com mixpanel.com moatads.com mookie1.com mouseflow.com
mxpnl.com nativo.com newrelic.com nr-data.net ntv.io omnitagjs.com omtrdc.net onesignal.com openx.net optimizely.com optmnstr.com
outbrain.com outbrainimg.com parsely.com perfectaudience.com permutive.app permutive.com popads.net popcash.net propellerads.com pubmatic.com
pubmine.com quantcount.com quantserve.com realsrv.com revcontent.com rfihub.com rlcdn.com rubiconproject.com scorecardresearch.com
segment.com segment.io semasio.net serving-sys.com sharethis.com sharethrough.com simpli.fi sitescout.com skimresources.com smartadserver.com
smaato.net snigelweb.com sonobi.com spotxchange.com spotx.tv stackadapt.com statcounter.com steelhousemedia.com stickyadstv.com
taboola.com tapad.com teads.tv tidaltv.com trafficjunky.net tremorhub.com tribalfusion.com triplelift.com turn.com undertone.com unrulymedia.com
usabilla.com vidazoo.com viglink.com vungle.com w55c.net weborama.fr yieldlab.net yieldlove.com yieldmo.com zedo.com zemanta.com zqtk.net
`;

const BLOCKED: ReadonlySet<string> = new Set(
  DOMAINS.split(/\s+/).filter((domain) => domain !== ""),
);

/** True if the host or one of its parent domains is on the list. */
export function isAdHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  for (let at = 0; at !== -1;) {
    if (BLOCKED.has(name.slice(at))) return true;
    const dot = name.indexOf(".", at);
    at = dot === -1 ? -1 : dot + 1;
  }
  return false;
}

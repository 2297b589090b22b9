// Words around the counters of a page, in ten languages and Korean. A counter is only recognized if all words around
// its number are listed here, so that "Comments (12)" is one and "5 seats left" or "Serves 4 people" is not.

/** Meaning of a word for the number beside it. */
export const WORD_CLASSES = [
  /** Things that a site counts: views, comments, followers. */
  "counter",
  /** One of them. It names the number before it only: "1 answer" is a counter, "Answer: 42" is not. */
  "single",
  /** A repeated action, such as viewed. Requires "times" or people. */
  "verb",
  "times",
  /** Counted beside other counters: posts, votes. Alone, the number may be the content of the page. */
  "social",
  /** People who may as well be customers or places in a room. Needs "online" or "reading". */
  "person",
  /** People who read pages. */
  "visitor",
  /** An action of people on a page: reading, online, in their basket. */
  "active",
  /** The time that is counted: today, in total. */
  "period",
  /** "number" in "visitor number 48,210". */
  "ordinal",
  /** Titles of counters: statistics. */
  "summary",
  "filler",
  /** "week" after "this". Alone, as in "10 downloads a week", it is a limit. */
  "span",
  "demonstrative",
  "since",
] as const;
export type WordClass = (typeof WORD_CLASSES)[number];

const WORDS: readonly Readonly<Partial<Record<WordClass, string>>>[] = [
  {
    counter:
      "views pageviews visits hits reads likes dislikes comments replies answers reactions upvotes downvotes followers subscribers downloads installs plays listens watchers forks reposts retweets bookmarks claps reviews ratings clicks impressions sold",
    single:
      "view pageview visit hit like comment reply answer reaction upvote downvote follower subscriber download install play fork repost retweet bookmark review rating click impression",
    verb: "viewed read watched played downloaded shared visited opened clicked loaded seen accessed",
    times: "times time",
    social: "votes shares saves streams posts topics threads messages pages entries members",
    person:
      "people person persons user users member members guest guests customer customers shopper shoppers registered hidden anonymous bots others",
    visitor: "visitor visitors viewer viewers reader readers listener listeners",
    active:
      "online active viewing watching reading browsing looking logged basket baskets cart carts wishlist wishlists subscribe subscribed following follow follows bookmarked favorited favourited connected chatting listening",
    period: "today yesterday now currently total overall altogether",
    ordinal: "number no count counter",
    summary: "statistics stats statistic",
    span: "week month year",
    demonstrative: "this last",
    since: "since",
    filler:
      "you are were is was been be has have had the a an this that these of our its their it your in on at to by with and so far since all page site website web topic thread post article story video item product listing recipe forum board community list document file entry who right moment there s from here counting unique updates newsletter channel join joined",
  },
  {
    counter:
      "aufrufe seitenaufrufe ansichten seitenansichten zugriffe seitenzugriffe kommentare antworten bewertungen rezensionen abonnenten besuche merkungen klicks besucherzähler seitenzähler zugriffszähler",
    single:
      "aufruf seitenaufruf ansicht zugriff kommentar antwort bewertung rezension abonnent besuch klick",
    verb: "aufgerufen angesehen gelesen besucht heruntergeladen geteilt angeschaut abgerufen angeklickt geklickt gehört",
    times: "mal",
    social: "stimmen beiträge themen nachrichten",
    person:
      "personen person leute nutzer benutzer mitglieder mitglied gäste gast kunden user menschen registrierte unsichtbare",
    visitor:
      "besucher besuchern besucherinnen leser lesern leserinnen zuschauer betrachter hörer seitenbesucher",
    active:
      "aktiv lesen liest schauen schaut sehen sieht betrachten betrachtet angemeldet eingeloggt warenkorb merkliste abonniert abonnieren folgen folgt",
    period: "heute gestern jetzt gerade derzeit aktuell momentan bisher insgesamt gesamt",
    ordinal: "nummer nr anzahl zähler",
    summary: "statistik statistiken besucherstatistik forenstatistik",
    span: "woche monat jahr",
    demonstrative: "diese diesen dieser",
    since: "seit",
    filler:
      "sie sind der die das diese diesen dieser dieses seite seiten wurde wurden haben hat im in den dem des ein eine einen einem von und seit artikel beitrag thema website webseite homepage internetseite sich an auf am unserer unsere ihr ihrem ihren zum zur ist schon bereits video produkt rezept anzeige es sie angebot wir uns davon",
  },
  {
    counter:
      "vues visites commentaires réponses abonnés abonnées téléchargements avis partages clics lectures consultations réactions aime évaluations",
    single:
      "vue visite commentaire réponse abonné abonnée téléchargement partage clic lecture consultation réaction évaluation",
    verb: "vu vue vus vues lu lue lus lues consulté consultée consultés consultées visité visitée visités téléchargé téléchargée partagé partagée regardé regardée écouté affiché affichée",
    times: "fois",
    social: "messages sujets membres publications",
    person:
      "personnes personne utilisateurs utilisateur membres membre invités invité clients internautes gens",
    visitor: "visiteurs visiteur lecteurs lecteur spectateurs auditeurs",
    active:
      "ligne connectés connecté connectées actifs actif consultent consulte regardent regarde lisent lit panier suivent suit",
    period: "aujourd hui maintenant actuellement hier total",
    ordinal: "numéro n nº n° nombre",
    summary: "statistiques compteur",
    span: "semaine mois année",
    demonstrative: "cette ce",
    since: "depuis",
    filler:
      "vous êtes le la les l d de du des un une cette ce cet page site article sujet recette vidéo annonce a ont été est sont en dans leur leurs sur depuis et par au aux j qu moment produit nos notre elle il",
  },
  {
    counter:
      "visitas vistas visualizaciones comentarios respuestas seguidores suscriptores descargas opiniones reseñas valoraciones lecturas clics reproducciones gusta",
    single:
      "visita vista visualización comentario respuesta seguidor suscriptor descarga opinión reseña valoración lectura clic reproducción",
    verb: "visto vista vistos leído leída visitado visitada descargado descargada compartido compartida consultado consultada reproducido",
    times: "veces vez",
    social: "votos mensajes temas miembros",
    person: "personas persona usuarios usuario miembros miembro invitados invitado clientes gente",
    visitor: "visitantes visitante lectores lector espectadores",
    active:
      "línea conectados conectado activos activo viendo mirando leyendo carrito cesta siguen sigue suscritas suscritos",
    period: "hoy ayer ahora actualmente total",
    ordinal: "número núm",
    summary: "estadísticas estadística contador",
    span: "semana mes año",
    demonstrative: "esta este",
    since: "desde",
    filler:
      "es usted el la los las lo un una de del este esta página sitio artículo tema receta vídeo video foro ha han sido en su sus desde y por al producto anuncio tienen tiene están está se le me nuestro nuestra momento",
  },
  {
    counter:
      "visualizações comentários inscritos assinantes curtidas avaliações acessos leituras cliques reproduções compartilhamentos partilhas",
    single:
      "visualização comentário resposta seguidor inscrito assinante curtida avaliação acesso leitura clique reprodução",
    verb: "lido lida visitado visitada baixado baixada compartilhado partilhado acessado acessada visualizado visualizada",
    times: "vezes vez",
    social: "votos mensagens tópicos membros",
    person:
      "pessoas pessoa usuários usuário utilizadores utilizador membros membro convidados clientes",
    visitor: "visitantes visitante leitores leitor espectadores",
    active: "linha ativos ativo vendo vê veem lendo assistindo carrinho cesto seguem segue",
    period: "hoje ontem agora atualmente",
    ordinal: "número",
    summary: "estatísticas estatística contador",
    span: "mês ano",
    demonstrative: "este esta",
    since: "desde",
    filler:
      "você é o os a as um uma de do da dos das este esta página artigo tópico receita vídeo fórum foi foram tem têm em no na nos nas seu seus neste estão está desde e por pelo produto anúncio momento nosso nossa",
  },
  {
    counter:
      "visualizzazioni visite commenti risposte recensioni iscritti letture clic reazioni condivisioni accessi valutazioni",
    single:
      "visualizzazione visita commento risposta recensione iscritto lettura reazione condivisione accesso",
    verb: "visto vista letto letta visitato visitata scaricato scaricata condiviso condivisa visualizzato visualizzata consultato consultata",
    times: "volte volta",
    social: "voti messaggi discussioni membri",
    person: "persone persona utenti utente membri membro ospiti ospite clienti",
    visitor: "visitatori visitatore lettori lettore spettatori",
    active: "linea connessi connesso attivi attivo guardando leggendo carrello seguono segue",
    period: "oggi ieri ora adesso attualmente totale",
    ordinal: "numero",
    summary: "statistiche contatore",
    span: "settimana mese anno",
    demonstrative: "questa questo",
    since: "dal",
    filler:
      "sei il lo la i gli le l un una uno di del della dei questa questo quest pagina sito articolo argomento ricetta è sono stata stato hanno ha in nel nella loro da dal e per al alla annuncio prodotto stanno sta nostro nostra momento",
  },
  {
    counter:
      "weergaven paginaweergaven bezoeken reacties antwoorden volgers abonnees beoordelingen recensies klikken",
    single: "weergave bezoek reactie antwoord volger abonnee beoordeling recensie klik",
    verb: "bekeken gelezen bezocht gedownload gedeeld",
    times: "keer maal",
    social: "stemmen berichten onderwerpen leden",
    person: "mensen personen persoon gebruikers gebruiker leden lid gasten gast klanten",
    visitor: "bezoekers bezoeker lezers lezer kijkers kijker",
    active:
      "actief bekijken bekijkt lezen leest kijken kijkt winkelwagen winkelmandje volgen volgt ingelogd",
    period: "vandaag gisteren nu momenteel totaal",
    ordinal: "nummer aantal",
    summary: "statistieken teller",
    span: "maand jaar",
    demonstrative: "deze dit",
    since: "sinds",
    filler:
      "u bent je de het een deze dit pagina artikel onderwerp is zijn werd heeft hebben in op hun sinds van en door aan al product advertentie onze",
  },
  {
    counter:
      "просмотров просмотра просмотры посещений посещения комментариев комментария комментарии ответов ответа ответы отзывов отзыва отзывы подписчиков подписчика подписчики скачиваний загрузок лайков прочтений кликов",
    single: "просмотр посещение комментарий ответ отзыв подписчик скачивание загрузка лайк",
    verb: "просмотрено прочитано скачано посещено просмотрели прочитали",
    times: "раз раза",
    social: "голосов сообщений тем участников",
    person:
      "человек человека люди людей пользователей пользователя участников участника гостей гостя клиентов",
    visitor: "посетителей посетителя посетители посетитель читателей зрителей",
    active: "онлайн смотрят смотрит читают читает сайте форуме корзине подписаны подписались",
    period: "сегодня вчера сейчас всего",
    ordinal: "номер количество число",
    summary: "статистика счётчик счетчик",
    span: "неделю месяц год",
    demonstrative: "эту этот",
    since: "с",
    filler:
      "вы эту этот эта это страницу страница страницы статья статью тема тему на в с по и у их за сайт товар нас были было",
  },
  {
    counter:
      "浏览 浏览量 浏览次数 浏览数 阅读 阅读量 阅读数 阅读次数 访问 访问量 访问次数 访问人数 点击 点击量 点击数 点击次数 评论 评论数 回复 回复数 点赞 点赞数 赞 下载 下载量 下载次数 播放 播放量 播放次数 观看 观看次数 粉丝 订阅者 收藏 转发 人气 瀏覽 瀏覽量 瀏覽次數 閱讀 閱讀量 觀看 觀看次數 點閱 點閱率 點擊 點擊數 評論 留言 回覆 人氣 下載 訂閱者",
    times: "次 人次",
    person: "人 用户 会员 游客 网友 用戶 會員 遊客 位",
    visitor: "访客 访问者 訪客 访客数 訪客數",
    active: "在线 正在 線上 在線 人在看",
    period: "今日 今天 昨日 昨天 当前 目前 现在 累计 总计 总 共 當前 現在 累計 總計 總",
    ordinal: "第 数 量 人数 次数 數 人數",
    filler:
      "本 本页 本站 本文 页面 网站 该 被 有 的 您 是 已 条 篇 个 已有 已被 頁面 網站 本頁 您是 則 条评论",
  },
  {
    counter:
      "アクセス アクセス数 閲覧 閲覧数 閲覧回数 表示回数 再生 再生回数 再生数 視聴 視聴回数 コメント コメント数 返信 返信数 いいね いいね数 フォロワー フォロワー数 登録者 登録者数 チャンネル登録者数 ダウンロード ダウンロード数 レビュー 口コミ クチコミ ブックマーク お気に入り ページビュー アクセスカウンター カウンター",
    times: "回",
    person: "人 名 ユーザー 会員 ゲスト",
    visitor: "訪問者 訪問者数 来訪者 来訪者数 閲覧者 訪問数",
    active: "オンライン 閲覧中 接続中 購読",
    period: "本日 今日 昨日 現在 累計 合計 これまで 通算 総",
    ordinal: "番目 数",
    filler:
      "の は が を に で から まで この ページ 記事 サイト あなた 件 です ます さん も こちら 目 ただいま",
  },
  {
    counter:
      "조회 조회수 댓글 댓글수 방문 방문수 추천 추천수 좋아요 구독자 팔로워 다운로드 공감 재생 재생수 리뷰",
    person: "명 사용자 회원 손님",
    visitor: "방문자 방문자수 방문객",
    active: "접속 접속중 접속자 온라인",
    period: "오늘 어제 현재 전체 총 누적",
    times: "회",
    ordinal: "수 번째",
    filler: "이 페이지 글 건 번 개 은 는 을 를 의 가 입니다",
  },
  { counter: "👁 👀 💬 ❤ ♥ 👍 👎 🔁" },
];

const CLASSES_BY_WORD = new Map<string, Set<WordClass>>();
for (const language of WORDS)
  for (const [name, words = ""] of Object.entries(language))
    for (const word of words.split(" ")) {
      const known = CLASSES_BY_WORD.get(word) ?? new Set<WordClass>();
      known.add(name as WordClass);
      CLASSES_BY_WORD.set(word, known);
    }

const MAX_RUN = 40;
const LONGEST = Math.max(...[...CLASSES_BY_WORD.keys()].map(({ length }) => length));

/** Returns the classes of a word in lower case; undefined for a word that is not listed. */
export const getClasses = (word: string): ReadonlySet<WordClass> | undefined =>
  CLASSES_BY_WORD.get(word);

/**
 * Returns the classes of a text without spaces, as in Chinese and Japanese: it must be a sequence of listed words, the
 * fewest of them. Undefined when it is not.
 */
export function findRunClasses(run: string): ReadonlySet<WordClass> | undefined {
  if (run.length > MAX_RUN) return undefined;
  const best: ({ readonly words: number; readonly from: number } | undefined)[] = [
    { words: 0, from: 0 },
  ];
  for (let end = 1; end <= run.length; end++)
    for (let from = Math.max(0, end - LONGEST); from < end; from++) {
      const before = best[from];
      if (before === undefined || !CLASSES_BY_WORD.has(run.slice(from, end))) continue;
      if (before.words + 1 < (best[end]?.words ?? Number.POSITIVE_INFINITY))
        best[end] = { words: before.words + 1, from };
    }
  if (best[run.length] === undefined) return undefined;
  const classes = new Set<WordClass>();
  for (let end = run.length; end > 0;) {
    const { from } = best[end] ?? { from: 0 };
    for (const name of CLASSES_BY_WORD.get(run.slice(from, end)) ?? []) classes.add(name);
    end = from;
  }
  return classes;
}

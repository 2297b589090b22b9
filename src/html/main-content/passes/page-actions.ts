// Words of links, buttons and lines that operate a page and are not about its topic: edit it, go
// back, show all, filter, agree to terms.

/** Opening words of links and buttons that lead away from the page or change its view. */
const ACTION = new RegExp(
  "^[^\\p{L}\\p{N}]*(?:" +
    [
      // English
      "(?:edit|improve|suggest (?:an )?edits?(?: to)?|translate) (?:on|this|page)(?: page| article| section)?",
      "report (?:a |an |this )?(?:problem|issue|error|bug|page|post|listing|ad|item|abuse|mistake|typo)",
      "(?:view|see|show|browse) (?:all|more)",
      "load more",
      "(?:back|return|skip|jump) to",
      "print (?:this )?(?:page|article|recipe|view|version)",
      "share (?:this|on|via)",
      "post (?:a )?(?:reply|comment)",
      "(?:reply|subscribe) to (?:this )?(?:topic|thread)",
      "(?:log|sign) ?in to|(?:clear|reset)(?: all)? filters?",
      // German
      "(?:diese )?seite (?:bearbeiten|drucken|melden|teilen)",
      "(?:alle|mehr) [\\p{L} ]{0,30}(?:anzeigen|ansehen|zeigen|laden)",
      "zurück (?:zu[mr]?|nach oben)|nach oben",
      "(?:fehler|problem|anzeige|beitrag) melden|filter (?:zurücksetzen|löschen)",
      // French
      "(?:modifier|imprimer|partager|signaler) (?:cette|ce|la|un|une|le)",
      "(?:voir|afficher) (?:tou(?:t|te)?s?|plus)|charger plus|retour (?:à|au|aux|en)",
      // Spanish, Portuguese, Italian
      "(?:editar|imprimir|compartir|compartilhar|denunciar|reportar) (?:esta?|este|la|el|un|uma?|página)",
      "(?:ver|mostrar|cargar|carregar) (?:todo|mais|más)|volver (?:a|al|arriba)|voltar (?:a|à|ao|para)",
      "(?:modifica|stampa|condividi|segnala) (?:questa|la|il|un)|(?:mostra|vedi|carica) (?:tutt|altr)|torna (?:a|al|alla|su)",
      // Dutch, Polish, Turkish, Vietnamese
      "(?:pagina|deze pagina) (?:bewerken|afdrukken|delen)|(?:bekijk|toon) (?:alle|meer)|terug naar",
      "edytuj (?:tę )?stronę|(?:zobacz|pokaż) (?:wszystk|więcej)|(?:powrót|wróć) do|zgłoś (?:błąd|problem)",
      "(?:tümünü|hepsini|daha fazla(?:sını)?) (?:gör|göster)|sayfayı (?:düzenle|yazdır)",
      "(?:xem|hiển thị) (?:tất cả|thêm)|quay lại|sửa trang",
      // Russian and Ukrainian
      "(?:редактировать|распечатать|пожаловаться|редагувати|надрукувати|поскаржитися)",
      "(?:показать|смотреть|показати|дивитися) (?:все|всё|ещё|еще|усі|всі|більше)|(?:назад|вернуться|повернутися) (?:к|на|в|до)",
    ].join("|") +
    ")(?![\\p{L}])",
  "iu",
);
/** The same in scripts without spaces or with other word ends. */
const OTHER_ACTION =
  /^[^\p{L}\p{N}]*(?:このページを編集|ページを編集|(?:すべて|もっと)(?:見る|表示)|一覧(?:を見る|へ|に戻る)|(?:トップ|前)に?戻る|印刷(?:する)?$|編集此頁|编辑此页|在 ?github ?上编辑|(?:查看|显示|瀏覽|浏览)(?:全部|更多|所有)|返回|打印|페이지 (?:편집|수정|인쇄)|(?:전체|모두|더) ?보기|목록(?:으로)?$|(?:عرض|شاهد) (?:الكل|المزيد|جميع)|تعديل (?:هذه )?الصفحة|(?:العودة|الرجوع) إلى|طباعة|(?:مشاهده|نمایش) (?:همه|بیشتر)|ویرایش (?:این )?صفحه|بازگشت به|(?:הצג|ראה|לכל) (?:הכל|עוד|ה)|ערוך|חזרה ל|ดูทั้งหมด|ดูเพิ่มเติม|กลับไป|แก้ไขหน้า|(?:सभी|और) देखें|वापस)/iu;

/** Beginnings of sentences by which a reader agrees to something. */
const AGREEMENT = new RegExp(
  "^[^\\p{L}\\p{N}]*(?:" +
    [
      "by (?:submitting|signing|clicking|continuing|subscribing|registering|creating|pressing|sending|joining|placing|entering|providing|using)",
      "(?:yes, )?i (?:have read|agree|accept|consent)",
      "this (?:site|form|page) is protected by recaptcha",
      "(?:mit (?:dem|der|ihrer|deiner) (?:absenden|klick|anmeldung|registrierung|bestellung)|(?:ja, )?ich (?:habe die|stimme|akzeptiere|willige|bin damit einverstanden))",
      "(?:en (?:cliquant|soumettant|envoyant|validant|vous (?:inscrivant|abonnant))|j['’]accepte)",
      "(?:al (?:enviar|hacer clic|suscribirte|suscribirse|registrarte|registrarse|continuar)|acepto|he leído)",
      "(?:ao (?:enviar|clicar|inscrever|se inscrever|continuar)|aceito|concordo|li e)",
      "(?:inviando|cliccando|iscrivendoti|registrandoti|accetto|acconsento|ho letto)",
      "(?:door (?:te|op|je)|ik ga akkoord)|(?:klikając|wysyłając|wyrażam zgodę|akceptuję)",
      "(?:нажимая|отправляя|подписываясь|я соглас|натискаючи|надсилаючи|я погодж)",
      "(?:göndererek|kaydolarak|kabul ediyorum)|(?:bằng (?:cách|việc)|tôi đồng ý)",
    ].join("|") +
    ")",
  "iu",
);
const OTHER_AGREEMENT =
  /^[^\p{L}\p{N}]*(?:送信すること|登録すること|.{0,20}に同意(?:する|します|の上)|提交即|点击.{0,12}即|我(?:已阅读|同意)|.{0,20}에 동의|بالنقر|بإرسال|بالتسجيل|أوافق|با (?:ارسال|کلیک|ثبت)|בלחיצה|בשליחת|אני מסכי|การ(?:ส่ง|คลิก|สมัคร)|मैं सहमत)/u;

/** Headings above controls that narrow or order a list. */
const FILTER =
  /^[^\p{L}\p{N}]*(?:filters?(?: by| results)?|refine(?: by| results| search)?(?: \p{L}+)?|narrow (?:by|results|your search)|sort(?: by)?|filtern?(?: nach)?|sortieren(?: nach)?|ergebnisse (?:filtern|eingrenzen)|filtrer(?: par)?|filtres?|affiner|trier(?: par)?|filtrar(?: por)?|filtros?|refinar|ordenar(?: por)?|filtra(?: per)?|filtri|ordina(?: per)?|filteren|sorteer|filtruj|filtry|sortuj|фильтры?|фільтри?|сортировка|絞り込み|絞り込む|並べ替え|筛选|篩選|排序|필터|정렬|filtrele|sırala|bộ lọc|lọc|تصفية|فلتر|ترتيب|فیلتر|סינון|מיון|ตัวกรอง|กรอง|फ़िल्टर)(?![\p{L}])[^\p{L}]*$/iu;

export const isPageAction = (text: string): boolean => ACTION.test(text) || OTHER_ACTION.test(text);
export const isAgreement = (text: string): boolean =>
  AGREEMENT.test(text) || OTHER_AGREEMENT.test(text);
export const isFilterHeading = (text: string): boolean => FILTER.test(text);

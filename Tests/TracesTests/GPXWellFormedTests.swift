import Testing
import Traces

/// Documents that are not well formed: the place of the fault and a part of the message.
let wrongDocuments: [(text: String, line: Int, column: Int, message: String)] = [
  ("<gpx>\n<a></b></gpx>", 2, 4, "the end tag </b> where </a> was expected"),
  ("<gpx></gp></gpx>", 1, 6, "</gp> where </gpx>"),
  ("<gpx></gpxx>", 1, 6, "</gpxx> where </gpx>"),
  ("<gpx></ gpx>", 1, 8, "the name of an element was expected"),
  ("<gpx></gpx a='1'>", 1, 12, "holds more than a name"),
  ("<gpx/><gpx/>", 1, 7, "a second root element"),
  ("<gpx/>x", 1, 7, "text after the end of the root"),
  ("<gpx/>&amp;", 1, 7, "text after the end of the root"),
  ("x<gpx/>", 1, 1, "text before the root"),
  ("</gpx>", 1, 2, "the name of an element was expected"),
  ("<gpx a='1' a='2'/>", 1, 12, "the attribute 'a' is given twice"),
  ("<gpx a=1/>", 1, 8, "without quotes"),
  ("<gpx a/>", 1, 7, "without '='"),
  ("<gpx a='1'b='2'/>", 1, 11, "without white space"),
  ("<gpx a='<'/>", 1, 9, "a '<' in the value"),
  ("<gpx a='&'/>", 1, 9, "a bare '&'"),
  ("<gpx a='&x;'/>", 1, 9, "the reference &x; is not a character that XML allows"),
  ("<gpx / >", 1, 6, "a '/' inside a tag"),
  ("<gpx 1='1'/>", 1, 6, "the name of an attribute was expected"),
  ("<1/>", 1, 2, "the name of an element was expected"),
  ("< gpx/>", 1, 2, "the name of an element was expected"),
  ("<gpx>&nbsp;</gpx>", 1, 6, "the reference &nbsp; is not a character that XML allows"),
  ("<gpx>&#0;</gpx>", 1, 6, "the reference &#0;"),
  ("<gpx>&#xD800;</gpx>", 1, 6, "the reference &#xD800;"),
  ("<gpx>&#x110000;</gpx>", 1, 6, "the reference &#x110000;"),
  ("<gpx>&#xFFFE;</gpx>", 1, 6, "the reference &#xFFFE;"),
  ("<gpx>&#99999999999999999999;</gpx>", 1, 6, "is not a character that XML allows"),
  ("<gpx>&#X41;</gpx>", 1, 6, "the reference &#X41;"),
  ("<gpx>&#;</gpx>", 1, 6, "the reference &#;"),
  ("<gpx>&#x;</gpx>", 1, 6, "the reference &#x;"),
  ("<gpx>&;</gpx>", 1, 6, "a bare '&'"),
  ("<gpx>a & b</gpx>", 1, 8, "a bare '&'"),
  ("<gpx>&lt</gpx>", 1, 6, "a bare '&'"),
  ("<gpx>&LT;</gpx>", 1, 6, "the reference &LT;"),
  ("<gpx>]]></gpx>", 1, 6, "']]>' in text"),
  ("<gpx>]]]></gpx>", 1, 7, "']]>' in text"),
  ("<gpx>\u{1}</gpx>", 1, 6, "the control character 0x1"),
  ("<gpx>\n \u{0}</gpx>", 2, 2, "the control character 0x0"),
  ("<gpx a='\u{B}'/>", 1, 9, "the control character 0xB"),
  ("<gpx>\u{FFFF}</gpx>", 1, 6, "is not part of a UTF-8 character"),
  ("<gpx><!-- a -- b --></gpx>", 1, 13, "'--' inside a comment"),
  ("<gpx><!-- a ---></gpx>", 1, 13, "'--' inside a comment"),
  ("<gpx><!- a --></gpx>", 1, 6, "'<!' that begins no"),
  ("<gpx><!DOCTYPE gpx></gpx>", 1, 6, "'<!' that begins no"),
  ("<gpx><![cdata[x]]></gpx>", 1, 6, "'<!' that begins no"),
  ("<![CDATA[x]]><gpx/>", 1, 1, "'<!' that begins no"),
  ("<gpx><?xml version='1.0'?></gpx>", 1, 6, "not at the very start"),
  ("<gpx><?XmL a?></gpx>", 1, 6, "not at the very start"),
  ("<!-- --><?xml version='1.0'?><gpx/>", 1, 9, "not at the very start"),
  ("<gpx><? a?></gpx>", 1, 8, "the name of an instruction was expected"),
  ("<gpx><?a+b?></gpx>", 1, 9, "not followed by white space"),
  ("<?xml?><gpx/>", 1, 1, "an XML declaration that is not"),
  ("<?xml encoding='UTF-8'?><gpx/>", 1, 1, "an XML declaration that is not"),
  ("<?xml version='1.0' standalone='maybe'?><gpx/>", 1, 1, "an XML declaration that is not"),
  ("<?xml version='1.0' standalone='no' encoding='UTF-8'?><gpx/>", 1, 1, "declaration that is not"),
  ("<?xml version='1.0' encoding='UTF-16'?><gpx/>", 1, 31, "the encoding 'UTF-16', where UTF-8"),
  ("<!DOCTYPE gpx [<!ENTITY a 'b'>]><gpx>&a;</gpx>", 1, 1, "a DOCTYPE with an internal subset"),
  ("<!DOCTYPE gpx SYSTEM 'a' [ ]><gpx/>", 1, 1, "a DOCTYPE with an internal subset"),
  ("<!DOCTYPE gpx SYSTEM><gpx/>", 1, 21, "white space was expected"),
  ("<!DOCTYPE gpx PUBLIC 'a'><gpx/>", 1, 25, "white space was expected"),
  ("<!DOCTYPE gpx><!DOCTYPE gpx><gpx/>", 1, 15, "a document type that is not before"),
  ("<gpx/><!DOCTYPE gpx>", 1, 7, "a document type that is not before"),
  ("<gpx><a:1 é×='1'/></gpx>", 1, 13, "a character that is not allowed in the name"),
]

@Test(
  "malformed documents are rejected at the error", arguments: wrongDocuments.indices)
func refusesDocument(index: Int) throws {
  let (text, line, column, message) = wrongDocuments[index]
  let issues = decode(text).issues
  let issue = try #require(issues.first)
  #expect(issues.count == 1 && issue.kind == .malformed)
  #expect(issue.line == line && issue.column == column, "\(text): \(issue)")
  #expect(issue.message.contains(message), "\(text): \(issue)")
}

@Test(
  "well-formed documents are read",
  arguments: [
    "<gpx/>", "<gpx />", "<gpx></gpx >", "\u{FEFF}<gpx/>", "\n <gpx/>\n", "<gpx\n>\r\n</gpx\t>",
    "<?xml version='1.0'?><gpx/>",
    "<?xml version=\"1.0\" encoding='us-ascii' standalone='yes' ?><gpx/>",
    "<!DOCTYPE gpx><gpx/>", "<!DOCTYPE gpx PUBLIC \"-//x\" 'http://x/>'><gpx/>",
    "<gpx a='1' b=\"2\" c = '>' d='\n\t' e='\"'/>",
    "<gpx a=\"&lt;&gt;&amp;&quot;&apos;&#9;&#x10FFFF;\"/>",
    "<gpx>]] ]] > ] ></gpx>", "<gpx>\u{7F}\u{85}é€😀</gpx>", "<gpx><!----><!-- - --></gpx>",
    "<gpx><![CDATA[<&]] ]>]]]]></gpx>", "<gpx><?a?><?a ?><?a > ?? ?></gpx>",
    "<gpx><?xml-a b?></gpx>",
    "<gpx><é:à/><_/><:/><a.b-c·/></gpx>", "<gpx/><!-- a --><?b?>\n",
    "<gpx>&#00000000000000065;</gpx>",
  ])
func acceptsDocument(text: String) {
  #expect(decode(text).issues.isEmpty)
}

@Test("bytes that are not UTF-8 are rejected at their position")
func refusesBytes() {
  let wrong: [[UInt8]] = [
    [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80],
    [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3, 0x28], [0xE2, 0x82, 0x28], [0xFF],
    [0xFE],
  ]
  for bytes in wrong {
    for (before, after) in [("<gpx>", "</gpx>"), ("<gpx a='", "'/>"), ("<gpx><!--", "--></gpx>")] {
      let issues = decode(Array(before.utf8) + bytes + Array(after.utf8)).issues
      #expect(issues.first?.kind == .malformed, "\(bytes) in \(before)")
      #expect(issues.first?.column == before.utf8.count + 1, "\(bytes) in \(before)")
    }
  }
}

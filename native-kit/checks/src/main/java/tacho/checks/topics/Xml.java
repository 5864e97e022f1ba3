package tacho.checks.topics;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.SAXParserFactory;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamReader;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.xml.sax.Attributes;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** XML. */
final class Xml implements Topic {

    private static final String TEXT =
            "<?xml version='1.0'?><shop xmlns='urn:shop'><item price='3'>Tee &amp; more</item><item price='4'/></shop>";

    @Override
    public void check(Checks checks) {
        checks.check("XML.DOM", "shop urn:shop 2 Tee & more", () -> {
            var root = document().getDocumentElement();
            return root.getLocalName() + " " + root.getNamespaceURI() + " "
                    + root.getChildNodes().getLength() + " "
                    + root.getFirstChild().getTextContent();
        });
        checks.check("XML.SAX", "[shop, item 3, item 4]", () -> {
            List<String> seen = new ArrayList<>();
            SAXParserFactory.newInstance()
                    .newSAXParser()
                    .parse(new ByteArrayInputStream(TEXT.getBytes(UTF_8)), new DefaultHandler() {
                        @Override
                        public void startElement(String uri, String local, String name, Attributes attributes) {
                            seen.add(name
                                    + (attributes.getValue("price") == null ? "" : " " + attributes.getValue("price")));
                        }
                    });
            return seen;
        });
        checks.check("XML.StAX", 3, () -> {
            XMLStreamReader reader = XMLInputFactory.newInstance().createXMLStreamReader(new StringReader(TEXT));
            int elements = 0;
            while (reader.hasNext()) {
                elements += reader.next() == XMLStreamConstants.START_ELEMENT ? 1 : 0;
            }
            return elements;
        });
        checks.check(
                "XML.XPath", "7", () -> XPathFactory.newInstance().newXPath().evaluate("sum(//@price)", document()));
        checks.check("XML.written", "true true", () -> {
            Transformer transformer = TransformerFactory.newInstance().newTransformer();
            transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
            StringWriter written = new StringWriter();
            transformer.transform(new DOMSource(document()), new StreamResult(written));
            String text = written.toString();
            return text.startsWith("<shop xmlns=\"urn:shop\"><item price=\"3\">Tee &amp; more</item>") + " "
                    + text.endsWith("</shop>");
        });
        checks.check("XML.broken", "SAXParseException in line 2", () -> {
            try {
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new ByteArrayInputStream("<a>\n<b></a>".getBytes(UTF_8)));
                return "taken";
            } catch (SAXParseException e) {
                return "SAXParseException in line " + e.getLineNumber();
            }
        });
    }

    private static Document document() throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        return factory.newDocumentBuilder().parse(new ByteArrayInputStream(TEXT.getBytes(UTF_8)));
    }
}

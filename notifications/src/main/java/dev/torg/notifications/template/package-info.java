/// Templates: the content of notifications by language, with parameters.
///
/// Each change of a template is a new version, which never changes. A sent notification names the version that was the
/// newest when it was accepted, so a repeated delivery renders the same
/// ([StoredTemplates][dev.torg.notifications.template.StoredTemplates]).
///
/// The engine, jmustache, is given texts and booleans only
/// ([TemplateEngine][dev.torg.notifications.template.TemplateEngine]). A rendered content is plain text: each channel
/// escapes it for itself. In links the values are percent-encoded, and the scheme and the host are literal
/// ([LinkTemplate][dev.torg.notifications.template.LinkTemplate]).
@NullMarked
package dev.torg.notifications.template;

import org.jspecify.annotations.NullMarked;

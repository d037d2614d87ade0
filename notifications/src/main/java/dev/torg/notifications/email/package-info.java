/// Mails: rendering a message as text and HTML, and sending it by SMTP over connections that are reused.
@NullMarked
package dev.torg.notifications.email;

import org.jspecify.annotations.NullMarked;

package dev.torg.promotions.provider.sandbox;

/// What a person does on the page.
enum SandboxAction {
  PAY,
  DECLINE
}
